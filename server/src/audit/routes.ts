import { auditApi } from '@mokuroku/contract/audit'
import { serve } from '#lib/http.ts'
import { mustBe } from '#lib/may.ts'
import { mustReauthenticate } from '#lib/reauthenticate.ts'
import { audit } from '#store/audit'
import { verifyChain } from './chain.ts'
import { exportFile } from './export.ts'

/** What others did is for administrators alone (decisions 3 and 5). */
export const auditRoutes = serve(auditApi, {
  list: ({ query, actor }) => {
    mustBe('admin', actor)
    return audit.list(query)
  },
  state: ({ actor }) => {
    mustBe('admin', actor)
    return audit.state()
  },
  verify: async ({ actor }) => {
    mustBe('admin', actor)
    const { entries, broken } = await verified()
    const found = broken && { seq: broken.seq, code: broken.code }
    const details = { entries, ...(found && { broken: found }) }
    await audit.tell({ action: 'audit.verified', outcome: broken ? 'failed' : 'ok', actor, details })
    return audit.state()
  },
  export: ({ query, actor }) => {
    mustBe('admin', actor)
    mustReauthenticate(actor)
    return exportFile(query, actor)
  },
})

let checking: ReturnType<typeof verifyChain> | undefined

/** Who asks while the log is being checked gets the same answer: reading all of it twice at once helps nobody. */
const verified = (): ReturnType<typeof verifyChain> =>
  (checking ??= verifyChain().finally(() => (checking = undefined)))
