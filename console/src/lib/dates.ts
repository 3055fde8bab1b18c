const LONG: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'long', day: 'numeric' }
const SHORT: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const INVALID: Record<string, string> = { zh: '无效日期' }

/** A moment (ISO 8601) in long form: 'January 5, 2026'. 'Invalid date' when it cannot be parsed (specification 3). */
export const longDate = (moment: string, locale = 'en', timeZone?: string) => format(moment, locale, LONG, timeZone)

/** A moment in long form with the time: 'January 5, 2026 at 09:30 AM'. */
export const longDateTime = (moment: string, locale = 'en', timeZone?: string) =>
  format(moment, locale, { ...LONG, ...CLOCK }, timeZone)

/** A moment for a narrow column: 'Jan 5, 2026'. */
export const shortDate = (moment: string, locale = 'en', timeZone?: string) => format(moment, locale, SHORT, timeZone)

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How long ago a moment was, up to a week: '3 hours ago'; the short date before that. `now` in milliseconds. */
export function ago(moment: string, locale = 'en', now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000
  if (!(Math.abs(seconds) < 7 * 86_400)) return shortDate(moment, locale)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  const amount = unit === 'second' ? 0 : Math.trunc(seconds / size)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(amount, unit)
}

function format(moment: string, locale: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined) {
  const date = new Date(moment)
  if (!moment || Number.isNaN(date.getTime())) return INVALID[locale] ?? 'Invalid date'
  return new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) }).format(date)
}
