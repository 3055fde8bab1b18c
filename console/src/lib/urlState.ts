/** Plain `?a=b` query strings: every value stays a string, so that a search for 123 does not become a number. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** The query string of a state: without empty values and with sorted keys, so that one state has one URL. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if ((value ?? '') === '') continue
    params.set(key, typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`)
  }
  params.sort()
  const text = params.toString()
  return text && `?${text}`
}
