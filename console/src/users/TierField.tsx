import { tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { SelectField } from '#ui/Field.tsx'
import { userTexts } from './texts.ts'

interface Props {
  scores: string
  onScores: (scores: string) => void
  hint: string
  disabled?: boolean
}

/**
 * Select field for a tier, whose value is the tier's required score. It shows the tier that the current score reaches.
 */
export function TierField({ scores, onScores, hint, disabled }: Props) {
  const { tiers: texts } = userTexts.use()
  const language = useLanguage()
  const { tiers, isPending } = useActiveTiers()
  const reached = tiers.findLast(({ requiredScore }) => requiredScore <= Number(scores))
  const options = tiers.map(({ name, requiredScore }) => ({
    value: String(requiredScore),
    label: texts.from(name, count(requiredScore, language)),
  }))
  return (
    <SelectField
      label={texts.tier}
      hint={hint}
      disabled={disabled}
      value={reached ? String(reached.requiredScore) : scores}
      options={
        reached
          ? options
          : [{ value: scores, label: isPending ? '…' : tiers.length === 0 ? scores : texts.lowest }, ...options]
      }
      onChange={onScores}
    />
  )
}

/** The active tiers, lowest first; none until they are loaded. */
export function useActiveTiers() {
  const { tiers: texts } = userTexts.use()
  const { data, isPending } = useQuery({ ...q(tiersApi.list), meta: { failure: texts.failed } })
  const tiers = (data?.data ?? [])
    .filter(({ isActive }) => isActive)
    .toSorted((one, two) => one.requiredScore - two.requiredScore)
  return { tiers, isPending }
}
