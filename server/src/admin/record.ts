import { userInfo } from 'node:os'
import { SYSTEM } from '#access/permissions.ts'

/** The audit entry for an operator's command. */
export const operatorRan = (command: string, argument: string) => ({
  action: 'operator.ran' as const,
  actor: SYSTEM,
  details: { command, ...(argument && { argument }), account: systemAccount() },
})

/** The account that runs this, as the system knows it; in a container it may have no name. */
function systemAccount(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
