import { type TierInput, type TierPreview as Preview, tiersApi } from '@mokuroku/contract/tiers'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { useId } from 'react'
import { call } from '#api/call.ts'
import { messageOf } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { Badge } from '#ui/Badge.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useFlagName } from './flagName.ts'
import { tierTexts } from './texts.ts'
import css from './TierPreview.module.css'

/** How many of the affected users are named. */
const NAMED = 5

/**
 * Query options: who would gain or lose which permissions by saving `tier` as `id` or as a new one, or by deleting `id`
 * if `tier` is null.
 */
export const previewOf = (id: string | undefined, tier: TierInput | null) =>
  queryOptions({
    queryKey: [tiersApi.preview.path, id, tier],
    queryFn: ({ signal }) => call(tiersApi.preview, { body: { ...(id && { id }), tier }, signal }),
    staleTime: 0,
    gcTime: 60_000,
    meta: { quiet: true },
  })

/** Whether any user would lose a permission. */
export const hasLosses = ({ losses }: Preview) => Object.values(losses).some((users) => users > 0)

interface Props {
  id: string | undefined
  /** undefined: the text is not a valid tier yet. */
  tier: TierInput | null | undefined
}

export function TierPreview({ id, tier }: Props) {
  const { preview: texts } = tierTexts.use()
  const heading = useId()
  const preview = useQuery({
    ...previewOf(id, tier ?? null),
    enabled: tier !== undefined,
    placeholderData: keepPreviousData,
  })
  const { data, isFetching, refetch } = preview
  const failure = useFailure(preview)
  const isFailed = tier !== undefined && failure !== null
  return (
    <Stack as="section" gap={2} className={css.preview} aria-labelledby={heading}>
      <h2 id={heading} className={css.title}>
        {texts.title}
      </h2>
      {isFailed && <Failed what={texts.failed} hint={messageOf(failure)} busy={isFetching} retry={refetch} />}
      {/* Without the error, which is announced by its own role. */}
      <Stack gap={2} aria-live="polite">
        {tier === undefined ? (
          <Muted as="p" inline>
            {texts.waiting}
          </Muted>
        ) : isFailed ? null : data ? (
          <Found preview={data} />
        ) : (
          <Muted as="p" inline>
            {texts.loading}
          </Muted>
        )}
      </Stack>
    </Stack>
  )
}

function Found({ preview: { userCount, gains, losses, first } }: { preview: Preview }) {
  const { preview: texts } = tierTexts.use()
  const language = useLanguage()
  const flagName = useFlagName()
  const number = (value: number) => count(value, language)
  if (userCount === 0) return <p>{texts.nobody}</p>
  const named = first.slice(0, NAMED)
  return (
    <>
      <p className={css.sum}>{texts.changes(number(userCount), userCount === 1)}</p>
      <Flags icon={TrendingDown} name={texts.losses} tone="danger" flags={losses} />
      <Flags icon={TrendingUp} name={texts.gains} tone="success" flags={gains} />
      <Stack as="ul" gap={1} className={css.people}>
        {named.map((user) => (
          <li key={user._id}>
            <span className={css.name} lang={guessLanguage(user.username)}>
              {user.username}
            </span>
            <Muted inline>
              {texts.scores(number(user.scores))} · {texts.moves(user.before, user.after)}
            </Muted>
            {[
              ...user.losses.map((flag) => `− ${flagName(flag)}`),
              ...user.gains.map((flag) => `+ ${flagName(flag)}`),
            ].map((change) => (
              <span key={change} className={css.change}>
                {change}
              </span>
            ))}
          </li>
        ))}
        {userCount > named.length && (
          <Muted as="li" inline>
            {texts.more(number(userCount - named.length))}
          </Muted>
        )}
      </Stack>
    </>
  )
}

interface FlagsProps {
  icon: typeof TrendingUp
  name: string
  tone: 'danger' | 'success'
  flags: Record<string, number>
}

function Flags({ icon: Icon, name, tone, flags }: FlagsProps) {
  const { users } = tierTexts.use()
  const language = useLanguage()
  const flagName = useFlagName()
  const some = Object.entries(flags).filter(([, number]) => number > 0)
  if (some.length === 0) return null
  return (
    <Row as="p" wrap className={css.flags}>
      <span className={css.kind} data-tone={tone}>
        <Icon size={15} aria-hidden />
        {name}
      </span>
      {some.map(([flag, number]) => (
        <Badge key={flag} tone={tone}>
          {flagName(flag)} · {users(count(number, language), number === 1)}
        </Badge>
      ))}
    </Row>
  )
}
