import type { Evidence } from '@mokuroku/contract/duplicates'
import { dayOf, seasonIn, sharedTitles } from '@mokuroku/contract/findings/duplicate'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { findings } from '#store/findings'

/** Reads entities as in their list, in the order of the ids; those in the trash are left out. */
type Read<Row> = (ids: string[]) => Promise<Row[]>

interface Request<Input> {
  query: { page: number; limit: number }
  body: { _id?: string | undefined; document: Input }
}

/** The handlers of a kind that find likely duplicates. */
export function duplicateHandlers<Row extends { _id: string }, Input extends object>(
  kind: Translated,
  read: Read<Row>,
) {
  return {
    duplicates: async ({ query: { page, limit } }: Pick<Request<Input>, 'query'>) => {
      const { pairs, total } = await findings.duplicatePairs(kind, (page - 1) * limit, limit)
      const rows = new Map((await read([...new Set(pairs.flat())])).map((row) => [row._id, row]))
      const answer = pairs.flatMap(([one, other]) => {
        const [first, second] = [rows.get(one), rows.get(other)]
        return first && second ? [{ first, second, evidence: evidenceOf(kind, first, second) }] : []
      })
      return { answer, total }
    },

    likely: async ({ body: { _id: id = '', document } }: Pick<Request<Input>, 'body'>) => {
      const rows = await read(await findings.likeliest(kind, document as Document, id))
      return { data: rows.map((entity) => ({ entity, evidence: evidenceOf(kind, entity, document) })) }
    },
  }
}

function evidenceOf(kind: Translated, one: object, other: object): Evidence {
  const [first, second] = [{ ...one } as Document, { ...other } as Document]
  const season = seasonIn(kind, first)
  return {
    titles: sharedTitles(kind, first, second),
    daysApart: Math.abs(dayOf(first.releaseDate) - dayOf(second.releaseDate)),
    ...(season > 0 && { season }),
  }
}
