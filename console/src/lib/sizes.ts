const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats bytes, base 1024, with at most 2 decimals: '0 Bytes', '1.5 KB', '2 MB'. */
export function fileSize(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0 Bytes'
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${UNITS[power]}`
}

/** A whole number with the locale's separators: '12,480'. */
export const count = (value: number, locale = 'en') => new Intl.NumberFormat(locale).format(value)
