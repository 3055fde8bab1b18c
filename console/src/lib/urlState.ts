/** Plain `?a=b` addresses: every value stays text, so that a search for 123 keeps being text. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** The address of a state: keys sorted, empty values left out, so that one state has one address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue
    params.set(key, typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`)
  }
  params.sort()
  const text = params.toString()
  return text && `?${text}`
}
