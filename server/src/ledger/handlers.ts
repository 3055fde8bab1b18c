import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Action, type Actor, requirePermission } from '#access/permissions.ts'
import { notFound } from '#lib/errors.ts'
import type { WriteContext, Input, Row } from './definition.ts'
import { redirectMerged } from './merges.ts'
import { attachProvenance } from './provenance.ts'
import { definitionOf } from './registry.ts'
import { findRow } from './rows.ts'

/** What a handler receives of a call; `runs` are the AI runs that the body claims to come from. */
interface Call {
  id: string
  actor: Actor
  base: number | undefined
  runs: string[]
  /** Links into the trash that the body leaves out on purpose. */
  dropped: string[]
}

type NewCall<Fields extends Document> = Pick<Call, 'actor' | 'runs'> & {
  body: Input<Fields>
  /** Names the request, if it has an Idempotency-Key. */
  key: string | undefined
}

interface Store<Fields extends Document, Shown> {
  create: (input: Input<Fields>, context: WriteContext) => Promise<string>
  /** Returns the row as written; undefined if nothing changed. */
  update: (id: string, input: Input<Fields>, context: WriteContext, base?: number) => Promise<Row<Fields> | undefined>
  remove: (id: string, context: WriteContext, base?: number) => Promise<void>
  restore: (id: string, context: WriteContext) => Promise<void>
  /** `written` is the row of `id`, if the caller has just written it. */
  find: (id: string, written?: Row<Fields>) => Promise<Shown | undefined>
}

/** An entity guard (http/serve.ts). Throws 404 if there is no such entity, and 403 if the caller may not do this to it. */
export const authorizeEntity =
  (action: Action, kind: Kind) =>
  async ({ id, actor }: { id: string; actor: Actor }): Promise<void> => {
    const row = await findRow(definitionOf(kind), id)
    if (!row || row.deletedAt) {
      await redirectMerged(kind, id)
      return notFound(kind)
    }
    requirePermission(actor, action, kind, row.createdBy)
  }

/** The entity guards of a kind. */
export const guardsOf = (kind: Kind) => ({
  update: authorizeEntity('edit', kind),
  remove: authorizeEntity('delete', kind),
  merge: authorizeEntity('edit', kind),
})

/** The handlers that every kind has. Each write returns what is stored then. They throw a 404 that names the kind. */
export function entityHandlers<Fields extends Document, Shown>(store: Store<Fields, Shown>, name: Kind) {
  const find = async (id: string, written?: Row<Fields>): Promise<Shown> => {
    const found = await store.find(id, written)
    if (found) return found
    await redirectMerged(name, id)
    return notFound(name)
  }
  return {
    find: ({ id }: Pick<Call, 'id'>) => find(id),
    create: async ({ body, actor, runs, key }: NewCall<Fields>) =>
      find(await store.create(body, { ...(await attachProvenance(actor, runs)), key })),
    update: async ({ id, body, actor, base, runs, dropped }: Call & { body: Input<Fields> }) => {
      const context = { ...(await attachProvenance(actor, runs)), asShown: { dropped } }
      return find(id, await store.update(id, body, context, base))
    },
    remove: async ({ id, actor, base }: Pick<Call, 'id' | 'actor' | 'base'>) => {
      await store.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }: Pick<Call, 'id' | 'actor'>) => {
      await store.restore(id, { actor })
      return find(id)
    },
  }
}
