import { normalize } from './normalize.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const NUMBERS =
  /^(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})\s*[日일]?(?:[\sT](\d{1,2}:\d{2}(?::\d{2})?))?$/
const AMERICAN = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i
const BRITISH = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})$/i

/**
 * Parses a date, optionally with a time, as people write it: year, month and day in this order, or with the month in
 * letters. Returns ISO 8601 in UTC; undefined if it is invalid or ambiguous (1/2/2023).
 */
export function parseMoment(text: string): string | undefined {
  const word = normalize(text, 'NFKC').trim()
  const [, year, month, day, time] = NUMBERS.exec(word) ?? []
  if (year) return iso(year, Number(month), day, time)
  const american = AMERICAN.exec(word)
  if (american) return iso(american[3], monthOf(american[1]), american[2])
  const british = BRITISH.exec(word)
  return british ? iso(british[3], monthOf(british[2]), british[1]) : undefined
}

const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

function iso(year = '', month = 0, day = '', time = '00:00'): string | undefined {
  const two = (part: string | number): string => String(part).padStart(2, '0')
  const [hour = '', minute = '', second = '00'] = time.split(':')
  const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.000Z`
  // Date accepts the 30th of February as a day in March.
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) || moment.toISOString() !== text ? undefined : text
}
