import { userInfo } from 'node:os'
import { SYSTEM } from '#access/permissions.ts'

/** The audit entry for a command of the operator. */
export const operatorRan = (command: string, argument: string) => ({
  action: 'operator.ran' as const,
  actor: SYSTEM,
  details: { command, ...(argument && { argument }), account: systemAccount() },
})

/** Who runs this, as far as the system knows; in a container its account may have no name. */
function systemAccount(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
