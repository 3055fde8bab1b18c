import { useLanguage } from '#i18n/messages.ts'
import css from './Trend.module.css'
import { workTexts } from './workTexts.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const [WIDTH, HEIGHT] = [64, 18]

interface Props {
  /** The value at the end of earlier days (UTC), oldest first. */
  past: readonly { day: string; value: number }[]
  now: number
  /** Whether an increase is an improvement. */
  moreIsBetter?: boolean
  /** The values are percentages, whose change is given in percentage points. */
  inPoints?: boolean
}

/**
 * How a number has changed since the first known day, as a sparkline and in words: only in words if all are equal, and
 * nothing if no earlier day is known.
 */
export function Trend({ past, now, moreIsBetter = false, inPoints = false }: Props) {
  const texts = workTexts.use()
  const language = useLanguage()
  const [first] = past
  if (!first) return undefined
  const days = daysSince(first.day)
  const digits = inPoints ? 1 : 0
  const change = Number((now - first.value).toFixed(digits))
  const shown = new Intl.NumberFormat(language, { signDisplay: 'always', maximumFractionDigits: digits }).format(change)
  const tone = change === 0 ? undefined : change > 0 === moreIsBetter ? 'better' : 'worse'
  return (
    <span className={css.trend} data-tone={tone}>
      {past.some(({ value }) => value !== now) && (
        <svg className={css.line} width={WIDTH} height={HEIGHT} aria-hidden>
          <polyline points={pointsOf([...past.map(({ value }) => value), now])} />
        </svg>
      )}
      <span>{change === 0 ? texts.unchanged(days) : texts.change(inPoints ? texts.points(shown) : shown, days)}</span>
    </span>
  )
}

/** Whole days since a day (UTC), at least one. */
const daysSince = (day: string): number => Math.max(1, Math.floor((Date.now() - Date.parse(day)) / DAY_MS))

/** The points of a sparkline through values, which are not all equal: the lowest at the bottom. */
export function pointsOf(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return values
    .map((value, at) => {
      const x = 1 + (at * (WIDTH - 2)) / (values.length - 1)
      const y = HEIGHT - 2 - ((value - low) * (HEIGHT - 4)) / (high - low)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
}
