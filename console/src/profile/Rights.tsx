import { tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import css from './Rights.module.css'
import { rightsOf, type Ruling } from './rights.ts'
import { texts as area } from './texts.ts'

const TONES: Record<string, Tone> = { user: 'neutral', admin: 'plum', moderator: 'accent' }

/** The user's role, tier and permissions; for missing permissions, the reason. */
export function Rights() {
  const { rights: texts } = area.use()
  const me = useMe()
  const language = useLanguage()
  const isUser = me.role === 'user'
  const tiers = useQuery({ ...q(tiersApi.list), enabled: isUser })
  const withNext = (ruling: Ruling) => ({ ...ruling, next: { name: me.tier, requiredScore: me.scores } })
  return (
    <>
      <Facts>
        <Fact name={texts.role}>
          <Badge tone={TONES[me.role] ?? 'neutral'}>{texts.roles[me.role]}</Badge>
        </Fact>
        {isUser && <Fact name={texts.tier}>{me.tier}</Fact>}
        <Fact name={texts.scores}>{count(me.scores, language)}</Fact>
      </Facts>
      {me.role === 'admin' && <p className={css.all}>{texts.everything}</p>}
      {me.role === 'moderator' && <p className={css.all}>{texts.nearly}</p>}
      {isUser && <p className={css.all}>{texts.granted}</p>}
      {isUser ? (
        <Loaded query={tiers} skeleton={<Rulings rulings={rightsOf(me, []).map(withNext)} loading />}>
          {({ data }) => <Rulings rulings={rightsOf(me, data)} />}
        </Loaded>
      ) : (
        <Rulings rulings={rightsOf(me, [])} />
      )}
    </>
  )
}

/** While the tiers are `loading`, the reasons that name one are blank, with about the room that they will need. */
function Rulings({ rulings, loading = false }: { rulings: Ruling[]; loading?: boolean }) {
  const { rights: texts } = area.use()
  return (
    <dl className={css.rights} aria-label={texts.title}>
      {rulings.map((ruling) => (
        <div key={ruling.right} className={css.right} data-has={Boolean(ruling.has) || undefined}>
          <dt>{(texts.names as Record<string, string>)[ruling.right] ?? ruling.right}</dt>
          <Row as="dd" gap={1} className={css.value}>
            <Value {...ruling} />
          </Row>
          {!ruling.has && (
            <Muted as="dd" small className={css.reason} data-blank={(loading && !ruling.needs) || undefined}>
              <Reason {...ruling} />
            </Muted>
          )}
        </div>
      ))}
    </dl>
  )
}

function Value({ has }: Ruling) {
  const { rights: texts } = area.use()
  const language = useLanguage()
  const Icon = has ? Check : Minus
  return (
    <>
      <Icon size={14} aria-hidden />
      {typeof has === 'number' && has > 0 ? texts.upTo(count(has, language)) : has ? texts.yes : texts.no}
    </>
  )
}

/** Why the user does not have a permission. */
function Reason({ needs, next }: Ruling) {
  const { rights: texts } = area.use()
  const { tier, scores } = useMe()
  const language = useLanguage()
  if (needs) return needs === 'admin' ? texts.administrators : texts.moderators
  return next
    ? texts.later(tier, next.name, count(next.requiredScore, language), count(scores, language))
    : texts.never(tier)
}
