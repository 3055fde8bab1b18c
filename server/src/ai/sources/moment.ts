interface Day {
  year?: number | null | undefined
  month?: number | null | undefined
  day?: number | null | undefined
}

/** The ISO moment at which a day begins (UTC). A day of which only the year is known is none: the rest would be made up. */
export function moment(day: Day | null | undefined): string | undefined {
  const { year, month, day: date } = day ?? {}
  if (!year || !month || !date) return undefined
  const at = new Date(Date.UTC(year, month - 1, date))
  return at.getUTCMonth() === month - 1 ? at.toISOString() : undefined
}

/** As `moment`, of `1998-04-03`. */
export function momentOf(date: string | null | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '') ?? []
  return moment({ year: Number(year), month: Number(month), day: Number(day) })
}
