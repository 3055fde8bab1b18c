import type { Tier } from '@mokuroku/contract/tiers'
import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { editorOf } from '#lib/areas.ts'
import { Badge } from '#ui/Badge.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { tierTexts } from './texts.ts'
import css from './TierList.module.css'
import { TierPermissions } from './TierPermissions.tsx'

/** The server counts up to this number. */
const COUNTED = 10_000

interface Props {
  tier: Tier
  below: Tier | undefined
  /** Its action buttons. */
  actions: ReactNode
}

/** One step of the ladder: the required score, and the permissions. */
export function TierStep({ tier, below, actions }: Props) {
  const texts = tierTexts.use()
  const language = useLanguage()
  const { name, description, requiredScore, isActive } = tier
  return (
    <li className={css.step} data-list-row data-inactive={!isActive || undefined}>
      <p className={css.score}>
        <span className={css.number}>{count(requiredScore, language)}</span>
        <Muted small>{texts.requiredScore}</Muted>
      </p>
      <Stack gap={2} className={css.card}>
        <Row as="header" gap={2} align="start" justify="between" wrap>
          <div className={css.names}>
            <h2 className={css.name} lang={guessLanguage(name)}>
              <Link to={editorOf('Tier', tier._id)}>{name}</Link>
            </h2>
            <Badges tier={tier} />
            <span className={css.users}>
              <UsersRound size={14} aria-hidden />
              {usersOf(tier.userCount)}
            </span>
          </div>
          <span className={css.actions}>{actions}</span>
        </Row>
        {description && (
          <p className={css.description} lang={guessLanguage(description)}>
            {description}
          </p>
        )}
        <TierPermissions tier={tier} below={below} />
      </Stack>
    </li>
  )

  function usersOf(users: number) {
    const number = count(users, language)
    return texts.users(users >= COUNTED ? `${number}+` : number, users === 1)
  }
}

function Badges({ tier: { requiredScore, isActive, name } }: { tier: Tier }) {
  const texts = tierTexts.use()
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

export function TierStepSkeleton() {
  return (
    <div className={css.step}>
      <div className={css.score}>
        <Skeleton width={56} height={26} />
      </div>
      <Stack gap={2} className={css.card}>
        <Skeleton width={220} height={22} />
        <Skeleton height={112} />
      </Stack>
    </div>
  )
}
