const LONG: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'long', day: 'numeric' }
const SHORT: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

/** A moment (ISO 8601) in long form: 'January 5, 2026'. 'Invalid date' if it cannot be parsed. */
export const longDate = (moment: string, locale = 'en', timeZone?: string) =>
  format(moment, locale, LONG, timeZone) ?? invalid(locale)

/** A moment as a date of fixed width, for columns: '2026-01-05'; in the user's time zone unless one is given. */
export function shortDate(moment: string, locale = 'en', timeZone?: string): string {
  // The Swedish locale formats dates as ISO 8601 does.
  return format(moment, 'sv', SHORT, timeZone)?.padStart('2026-01-05'.length, '0') ?? invalid(locale)
}

/** A moment in long form with the time: 'January 5, 2026 at 09:30 AM'. */
export const longDateTime = (moment: string, locale = 'en', timeZone?: string) =>
  format(moment, locale, { ...LONG, ...CLOCK }, timeZone) ?? invalid(locale)

const DAY = 24 * 60 * 60_000

/** Whether a moment is more than a date: not midnight in UTC. */
export const hasTime = (moment: string) => Date.parse(moment) % DAY !== 0

/** A moment of an entry in long form, in UTC: with the time if it has one, 'January 5, 2026 at 09:30 AM UTC'. */
export const longMoment = (moment: string, locale: string) =>
  format(moment, locale, hasTime(moment) ? { ...LONG, ...CLOCK, timeZoneName: 'short' } : LONG, 'UTC') ??
  invalid(locale)

/**
 * Days left until a moment, rounded up; 0 if less than one day is left. `start`: when they began, which is no later than
 * now, even if the clock here is behind.
 */
export function daysUntil(moment: string, start: string, now = Date.now()): number {
  const days = (Date.parse(moment) - Math.max(now, Date.parse(start))) / DAY
  return days < 1 ? 0 : Math.ceil(days)
}

const invalid = (locale: string) => (locale === 'zh' ? '无效日期' : 'Invalid date')

function format(moment: string, locale: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined) {
  const date = new Date(moment)
  return Number.isNaN(date.getTime())
    ? undefined
    : new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(date)
}
