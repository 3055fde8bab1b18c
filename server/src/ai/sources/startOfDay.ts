interface Day {
  year?: number | null | undefined
  month?: number | null | undefined
  day?: number | null | undefined
}

/** The start of a day (UTC) as an ISO moment. Undefined for an incomplete date, since the rest would be made up. */
export function startOfDay(day: Day | null | undefined): string | undefined {
  const { year, month, day: date } = day ?? {}
  if (!year || !month || !date) return undefined
  const at = new Date(Date.UTC(year, month - 1, date))
  return at.getUTCMonth() === month - 1 ? at.toISOString() : undefined
}

/** Like `startOfDay`, for a text such as `1998-04-03`. */
export function parseDay(date: string | null | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '') ?? []
  return startOfDay({ year: Number(year), month: Number(month), day: Number(day) })
}
