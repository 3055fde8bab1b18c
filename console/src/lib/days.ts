import { shortDate } from './dates.ts'

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
