import { type Document, getPath, isBlank } from '@mokuroku/contract/merge'
import type { AiRun, Provenance } from '@mokuroku/contract/provenance'
import type { Actor } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import type { Answered } from '#database/tables.ts'

/** An AI run, and the content of its answers. */
export interface Assist {
  run: AiRun
  answers: Answered[]
}

/**
 * The author of a write, with those of the author's AI runs that it may contain parts of. Runs of other users are
 * ignored.
 */
export async function attachProvenance(actor: Actor, ids: string[]): Promise<{ actor: Actor; assists?: Assist[] }> {
  if (ids.length === 0) return { actor }
  const rows = await db
    .selectFrom('aiRuns')
    .selectAll()
    .where('_id', 'in', ids)
    .where('userId', '=', actor._id)
    .execute()
  return { actor, assists: rows.map(({ userId: _, call: __, outcome: ___, answers, ...run }) => ({ run, answers })) }
}

/**
 * Which of the changed paths came from which AI runs: those where the entity now has the value of an answer. Values are
 * compared rather than trusted: a text that a person has edited is that person's. Empty values have no provenance.
 */
export function provenanceOf(assists: Assist[], id: string, fields: Document, paths: string[]): Provenance[] {
  if (assists.length === 0) return []
  let left = paths.filter((path) => !isBlank(getPath(fields, path)))
  return assists.flatMap(({ run, answers }) => {
    const from = answers.filter((each) => each.id === undefined || each.id === id)
    const found = left.filter((path) => from.some((each) => isSame(getPath(each.fields, path), getPath(fields, path))))
    left = left.filter((path) => !found.includes(path))
    return found.length > 0 ? [{ ...run, paths: found }] : []
  })
}

const isSame = (one: unknown, two: unknown): boolean =>
  typeof one === 'string' && typeof two === 'string'
    ? one.trim() === two.trim()
    : (typeof one === 'number' || typeof one === 'boolean') && one === two
