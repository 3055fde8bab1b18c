import { authApi } from '@mokuroku/contract/auth'
import type { Refused } from '#http/mount.ts'
import { audit } from '#store/audit'

const ACTIONS = { 403: 'access.forbidden', 429: 'access.limited' } as const

/** Records a denied or rate-limited request and why. Sign-ins and reauthentication record their own failures. */
export function recordDeniedCall({ route, params, actor, client, refusal }: Refused): void {
  if (!(refusal.status in ACTIONS) || route === authApi.login || refusal.code === 'reauthenticate') return
  const { reason } = refusal.more
  audit.recordLater({
    action: ACTIONS[refusal.status as keyof typeof ACTIONS],
    outcome: 'refused',
    actor,
    client,
    about: { type: 'Call', id: params.id, label: `${route.method} ${route.path}` },
    details: { code: refusal.code, ...(typeof reason === 'string' && { reason }) },
  })
}
