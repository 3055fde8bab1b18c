/**
 * Whether the token's `exp` claim (seconds) is in the past or cannot be read, or no header can hold the token. `now` in
 * seconds.
 */
export function isExpired(token: string, now = Date.now() / 1000): boolean {
  const exp = secondsIn(token, 'exp')
  return exp === undefined || exp <= now || /[^!-~]/.test(token)
}

/** When the server issued a token, by its clock, in milliseconds; 0 if that cannot be read. */
export const issuedAt = (token: string): number => (secondsIn(token, 'iat') ?? 0) * 1000

function secondsIn(token: string, claim: 'exp' | 'iat'): number | undefined {
  try {
    const claims: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    const { [claim]: seconds } = (claims ?? {}) as Record<typeof claim, unknown>
    return typeof seconds === 'number' ? seconds : undefined
  } catch {
    return undefined
  }
}
