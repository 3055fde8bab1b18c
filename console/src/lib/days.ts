import { shortDate } from './dates.ts'

const MINUTE_MS = 60_000

/**
 * The start of a day (YYYY-MM-DD) in the user's time zone, as ISO, or of the day `later` days after it. Undefined outside
 * of the years 1970 to 9999: a field for dates takes years of six digits, which ISO writes with a sign.
 */
export function startOf(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date || year < 1970 || year > 9999) return undefined
  const start = new Date(year, month - 1, date + later).toISOString()
  return start.startsWith('+') ? undefined : start
}

/** The day in the user's time zone (YYYY-MM-DD) that contains a moment; '' without one. */
export const dayOf = (moment: string | undefined): string => dayAt(moment, 0)

/** The last day before a moment that ends a range: of midnight, the day that ends then. */
export const lastDayOf = (end: string | undefined): string => dayAt(end, -1)

function dayAt(moment: string | undefined, offsetMs: number): string {
  const at = Date.parse(moment ?? '')
  return Number.isNaN(at) ? '' : shortDate(new Date(at + offsetMs).toISOString())
}

/** A moment in the user's time zone: '2026-01-05T09:30'. */
export function localMinute(moment: number): string {
  const date = new Date(moment)
  return new Date(moment - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/**
 * The last millisecond of such a minute, of the second one if it occurs twice as clocks are set back; an invalid date if
 * it is none.
 */
export function endOfMinute(minute: string): Date {
  const first = Date.parse(minute)
  if (Number.isNaN(first)) return new Date(first)
  // Clocks are set back by an hour, and by half of one on Lord Howe Island.
  const again = [60, 30].map((later) => first + later * MINUTE_MS).find((later) => localMinute(later) === minute)
  return new Date((again ?? first) + MINUTE_MS - 1)
}
