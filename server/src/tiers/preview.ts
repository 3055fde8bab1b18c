import { newTier, type Permissions, type TierInput, type TierPreview } from '@mokuroku/contract/tiers'
import { tiers } from '#store/tiers'

type Step = Pick<TierInput, 'name' | 'requiredScore' | 'isActive' | 'permissions'>

/** Number of accounts named in the result. */
const MAX_NAMED = 20

/**
 * Which users would gain or lose what if `tier` were saved as `id`, or as a new one; or, if null, if `id` were deleted.
 */
export async function preview(id: string | undefined, tier: TierInput | null): Promise<TierPreview> {
  const rows = await tiers.rows()
  const changed = [...rows.filter(({ _id }) => _id !== id), ...(tier ? [tier] : [])]
  const stretches = stretchesOf(ladder(rows), ladder(changed)).filter(
    ({ gains, losses }) => gains.length + losses.length > 0,
  )
  const counts = await tiers.count(stretches)
  const result: TierPreview = { userCount: 0, gains: {}, losses: {}, first: [] }
  for (const [at, { gains, losses, before, after, ...range }] of stretches.entries()) {
    const users = counts[at] ?? 0
    result.userCount += users
    for (const flag of gains) result.gains[flag] = (result.gains[flag] ?? 0) + users
    for (const flag of losses) result.losses[flag] = (result.losses[flag] ?? 0) + users
    if (users === 0 || result.first.length === MAX_NAMED) continue
    const named = await tiers.usersIn(range, MAX_NAMED - result.first.length)
    result.first.push(...named.map((user) => ({ ...user, before, after, gains, losses })))
  }
  return result
}

const ladder = (steps: Step[]): Step[] =>
  steps.filter(({ isActive }) => isActive).toSorted((one, two) => one.requiredScore - two.requiredScore)

/** The ranges of scores in which the change is the same for everybody. */
function stretchesOf(before: Step[], after: Step[]) {
  const borders = new Set([0, ...[...before, ...after].map(({ requiredScore }) => requiredScore)])
  const sorted = [...borders].toSorted((one, two) => one - two)
  return sorted.map((from, at) => {
    const [old, next] = [reached(before, from), reached(after, from)]
    const flags = Object.keys({ ...valuesOf(old.permissions), ...valuesOf(next.permissions) })
    const step = (flag: string) => (valuesOf(next.permissions)[flag] ?? 0) - (valuesOf(old.permissions)[flag] ?? 0)
    return {
      from,
      below: sorted[at + 1] ?? Infinity,
      before: old.name,
      after: next.name,
      gains: flags.filter((flag) => step(flag) > 0),
      losses: flags.filter((flag) => step(flag) < 0),
    }
  })
}

const reached = (steps: Step[], scores: number): Step =>
  steps.findLast(({ requiredScore }) => requiredScore <= scores) ?? newTier()

const valuesOf = ({ customPermissions, ...permissions }: Permissions): Record<string, number> =>
  Object.fromEntries(
    Object.entries({ ...customPermissions, ...permissions }).map(([flag, value]) => [flag, Number(value)]),
  )
