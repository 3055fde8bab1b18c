// `node bench/crash.ts [--rounds 100] [--engines sqlite,postgres]`: a crash test that repeatedly kills the server while
// it writes, and counts lost writes and inconsistencies.
import { parseArgs } from 'node:util'
import { aSite, crashRound } from '../server/test/crash.ts'
import { startPostgres } from '../scripts/postgres.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, engines: { type: 'string', default: 'sqlite,postgres' } },
})

// Exiting like this also stops the servers and removes the folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

for (const engine of values.engines.split(',')) {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const site = await aSite(postgres?.url)
  const totals = { acknowledged: 0, unanswered: 0, killed: 0, slowest: 0, faults: 0 }
  try {
    for (let each = 1; each <= Number(values.rounds); each++) {
      const signal = each % 4 === 0 ? 'SIGTERM' : 'SIGKILL'
      const { acknowledged, unanswered, startedIn, faults } = await crashRound(site, signal)
      totals.acknowledged += acknowledged
      totals.unanswered += unanswered
      totals.killed += signal === 'SIGKILL' ? 1 : 0
      totals.slowest = Math.max(totals.slowest, startedIn)
      totals.faults += faults.length
      console.log(
        `${engine} ${each}: ${signal}, ${acknowledged} acknowledged, ${unanswered} unanswered, again in ${startedIn.toFixed(0)} ms`,
      )
      for (const fault of faults) console.log(`  ${fault}`)
    }
  } finally {
    await site.remove()
    await postgres?.stop()
  }
  console.log(
    `${engine}: ${values.rounds} rounds, ${totals.killed} killed: ${totals.acknowledged} writes acknowledged, ` +
      `${totals.unanswered} unanswered, slowest start ${totals.slowest.toFixed(0)} ms, ${totals.faults} faults`,
  )
  if (totals.faults > 0) process.exitCode = 1
}
