import {
  type Completeness,
  type FindingWork,
  type PastCounts,
  TREND_DAYS,
  type Work,
} from '@mokuroku/contract/dashboard'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { flagCounters } from '#ledger/assetFlags.ts'
import { pastCounters } from '#ledger/counterDays.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { filledCounter } from '#ledger/filled.ts'
import { counterOf } from '#ledger/findingRows.ts'
import { findings } from '#store/findings'
import { languages } from '#store/languages'

type Past = Awaited<ReturnType<typeof pastCounters>>

/** A user's to-do numbers, from counters. If the user may edit only their own entities of a kind, those are counted. */
export async function work(actor: Actor): Promise<Omit<Work, 'progress'>> {
  const kinds = TRANSLATED_KINDS.filter((kind) => checkPermission(actor, 'edit', kind).allowed)
  const ofOwn = TRANSLATED_KINDS.filter(
    (kind) => !kinds.includes(kind) && checkPermission(actor, 'edit', kind, actor._id).allowed,
  )
  const own = await Promise.all(
    ofOwn.map(async (entityType): Promise<FindingWork[]> => {
      const found = await findings.countsOfOwner(entityType, actor._id)
      return found.map((row) => ({ ...row, entityType, createdBy: actor._id, past: [] }))
    }),
  )
  const counts = await Promise.all(
    kinds.map(async (entityType) =>
      (await findings.counts({ entityType })).map((row) => ({ ...row, entityType, name: nameOf(entityType, row) })),
    ),
  )
  const wanted = (await languages.list()).filter((row) => row.wanted)
  const flags = [flagCounters('unused'), flagCounters('failed')]
  const filled = TRANSLATED_KINDS.flatMap((kind) => [
    totalCounter(kind),
    ...wanted.map(({ tag }) => filledCounter(kind, tag)),
  ])
  const names = [...counts.flat().map(({ name }) => name), ...flags.map(({ count }) => count), ...filled]
  const past = await pastCounters(db, names, TREND_DAYS)
  return {
    findings: [...counts.flat().reduce(merged(past), []), ...own.flat()],
    ...(checkPermission(actor, 'delete', 'Asset').allowed && { files: await fileWork(past) }),
    languages: wanted.map((row) => completenessOf(row, past)),
  }
}

type Row = Awaited<ReturnType<typeof findings.counts>>[number] & { entityType: FindingWork['entityType']; name: string }

const nameOf = (
  kind: FindingWork['entityType'],
  { code, language = '', field = '' }: Omit<Row, 'entityType' | 'name'>,
) => counterOf(kind, { code, language, field })

/** Sums the counts over fields, since an entity has a code and language in one field only. */
const merged =
  (past: Past) =>
  (all: FindingWork[], { entityType, code, language, count, name }: Row): FindingWork[] => {
    const row = { entityType, code, ...(language && { language }), count, past: pastOf(past, name) }
    const same = all.findIndex(
      (each) => each.entityType === entityType && each.code === code && each.language === row.language,
    )
    return same < 0 ? [...all, row] : all.with(same, sumOf(all[same] ?? row, row))
  }

const sumOf = (one: FindingWork, other: FindingWork): FindingWork => ({
  ...one,
  count: one.count + other.count,
  past: one.past.map(({ day, count }, at) => ({ day, count: count + (other.past[at]?.count ?? 0) })),
})

const pastOf = (past: Past, name: string): PastCounts => past.map(({ day, valueOf }) => ({ day, count: valueOf(name) }))

async function fileWork(past: Past) {
  const [unused, failed] = [flagCounters('unused'), flagCounters('failed')]
  const kept = await countersOf(db, [unused.count, unused.size, failed.count, failed.size])
  const files = ({ count, size }: typeof unused) => ({
    count: kept[count] ?? 0,
    size: kept[size] ?? 0,
    past: pastOf(past, count),
  })
  return { unused: files(unused), failed: files(failed) }
}

function completenessOf(row: Awaited<ReturnType<typeof languages.list>>[number], past: Past): Completeness {
  const shares = TRANSLATED_KINDS.map((kind) => {
    const [filled, total] = [filledCounter(kind, row.tag), totalCounter(kind)]
    const before = past.map(({ day, valueOf }) => ({ day, filled: valueOf(filled), of: valueOf(total) }))
    return { entityType: kind, ...row[kind], past: before }
  })
  return { tag: row.tag, shares }
}
