/**
 * Whether the token's `exp` claim (seconds) is in the past or cannot be read, or no header can hold the token. `now` in
 * seconds.
 */
export function isExpired(token: string, now = Date.now() / 1000): boolean {
  try {
    const claims: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp !== 'number' || exp <= now || /[^!-~]/.test(token)
  } catch {
    return true
  }
}
