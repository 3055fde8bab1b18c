import type { Tier } from '@mokuroku/contract/tiers'
import { Link } from '@tanstack/react-router'
import { SquarePen, Trash2, UsersRound } from 'lucide-react'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { Badge } from '#ui/Badge.tsx'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useTierRefusal } from './rights.ts'
import { texts as area } from './texts.ts'
import css from './TierList.module.css'
import { TierPermissions } from './TierPermissions.tsx'

/** As far as the server counts. */
const COUNTED = 10_000

interface Props {
  tier: Tier
  below: Tier | undefined
  onDelete: (tier: Tier) => void
}

/** One step of the ladder: what it takes, and what it gives. */
export function TierStep({ tier, below, onDelete }: Props) {
  const texts = area.use()
  const language = useLanguage()
  const { name, description, requiredScore, isActive } = tier
  return (
    <li className={css.step} data-list-row data-inactive={!isActive || undefined}>
      <p className={css.score}>
        <span className={css.number}>{count(requiredScore, language)}</span>
        <span className={css.quiet}>{texts.requiredScore}</span>
      </p>
      <div className={css.card}>
        <header className={css.head}>
          <div className={css.names}>
            <h2 className={css.name} lang={guessLanguage(name)}>
              <Link to={`/score-permissions/${tier._id}/edit`}>{name}</Link>
            </h2>
            <Badges tier={tier} />
            <span className={css.users}>
              <UsersRound size={14} aria-hidden />
              {usersOf(tier.userCount)}
            </span>
          </div>
          <Actions tier={tier} onDelete={onDelete} />
        </header>
        {description && (
          <p className={css.description} lang={guessLanguage(description)}>
            {description}
          </p>
        )}
        <TierPermissions tier={tier} below={below} />
      </div>
    </li>
  )

  function usersOf(users: number) {
    const number = count(users, language)
    return texts.users(users >= COUNTED ? `${number}+` : number, users === 1)
  }
}

function Badges({ tier: { requiredScore, isActive, name } }: { tier: Tier }) {
  const texts = area.use()
  const me = useMe()
  return (
    <>
      {requiredScore === 0 && <Badge tone="accent">{texts.default}</Badge>}
      <Badge dot tone={isActive ? 'success' : 'neutral'}>
        {isActive ? texts.active : texts.inactive}
      </Badge>
      {isActive && me.role === 'user' && me.tier === name && <Badge tone="plum">{texts.yours}</Badge>}
    </>
  )
}

function Actions({ tier, onDelete }: Omit<Props, 'below'>) {
  const texts = area.use()
  const refusal = useTierRefusal()
  const { _id, name, requiredScore } = tier
  const edit = texts.edit(name)
  const look = `${buttonClass({ variant: 'quiet', icon: true })} ${css.action}`
  return (
    <span className={css.actions}>
      {refusal ? (
        <IconButton icon={SquarePen} label={edit} reason={refusal} className={css.action} />
      ) : (
        <Link to={`/score-permissions/${_id}/edit`} className={look} aria-label={edit} title={edit}>
          <SquarePen size={16} aria-hidden />
        </Link>
      )}
      <IconButton
        icon={Trash2}
        toDelete
        label={texts.delete(name)}
        reason={refusal ?? (requiredScore === 0 ? texts.isDefault : undefined)}
        className={css.action}
        onClick={() => onDelete(tier)}
      />
    </span>
  )
}

export function TierStepSkeleton() {
  return (
    <div className={css.step}>
      <div className={css.score}>
        <Skeleton width={56} height={26} />
      </div>
      <div className={css.card}>
        <Skeleton width={220} height={22} />
        <Skeleton height={112} />
      </div>
    </div>
  )
}
