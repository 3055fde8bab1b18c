import type { Evidence } from '@mokuroku/contract/duplicates'
import { dayOf, seasonIn, sharedTitles } from '@mokuroku/contract/findings/duplicate'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { db } from '#database/db.ts'
import { shareOf } from '#ledger/embedded.ts'
import { splitBySize, textBytes } from '#ledger/pages.ts'
import { turns } from '#lib/turns.ts'
import { findings } from '#store/findings'

interface Store<Row> {
  /** Reads entities as in their list, in the order of the ids; those in the trash are left out. */
  byIds: (ids: string[]) => Promise<Row[]>
  /** Reads entities as shown within another answer (ledger/embedded.ts), by id. */
  embedded: (ids: string[]) => Promise<Map<string, Row>>
}

interface Request<Input> {
  query: { page: number; limit: number }
  body: { _id?: string | undefined; document: Input }
}

/** The handlers of a kind that find likely duplicates. */
export function duplicateHandlers<Row extends { _id: string }, Input extends object>(
  kind: Translated,
  { byIds, embedded }: Store<Row>,
) {
  /** The evidence of each pair, from whole entities: a few large ones are read at a time. */
  const evidenceOfPairs = async (pairs: [string, string][]): Promise<Map<[string, string], Evidence>> => {
    const turn = turns()
    const found = new Map<[string, string], Evidence>()
    const sizes = await textBytes(db, kind, [...new Set(pairs.flat())])
    const bytesOf = (pair: [string, string]) => pair.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
    for (const page of splitBySize(pairs.map((pair) => ({ id: pair, bytes: bytesOf(pair) })))) {
      const rows = new Map((await byIds([...new Set(page.flat())])).map((row) => [row._id, row]))
      for (const pair of page) {
        await turn()
        const [first, second] = pair.map((id) => rows.get(id))
        if (first && second) found.set(pair, evidenceOf(kind, first, second, shareOf(2 * pairs.length)))
      }
    }
    return found
  }
  return {
    duplicates: async ({ query: { page, limit } }: Pick<Request<Input>, 'query'>) => {
      const { pairs, total } = await findings.duplicatePairs(kind, (page - 1) * limit, limit)
      const rows = await embedded(pairs.flat())
      const found = await evidenceOfPairs(pairs)
      const answer = pairs.flatMap((pair) => {
        const [[one, other], evidence] = [pair, found.get(pair)]
        const [first, second] = [rows.get(one), rows.get(other)]
        return first && second && evidence ? [{ first, second, evidence }] : []
      })
      return { answer, total }
    },

    likely: async ({ body: { _id: id = '', document } }: Pick<Request<Input>, 'body'>) => {
      const turn = turns()
      const data: { entity: Row; evidence: Evidence }[] = []
      const rows = await byIds(await findings.likeliest(kind, document as Document, id))
      for (const entity of rows) {
        await turn()
        data.push({ entity, evidence: evidenceOf(kind, entity, document, shareOf(2 * rows.length)) })
      }
      return { data }
    },
  }
}

/** The shared titles are the first ones that have at most `maxBytes` together. */
function evidenceOf(kind: Translated, one: object, other: object, maxBytes: number): Evidence {
  const [first, second] = [{ ...one } as Document, { ...other } as Document]
  const season = seasonIn(kind, first)
  const titles = sharedTitles(kind, first, second)
  const [fitting = []] = splitBySize(
    titles.map((title) => ({ id: title, bytes: Buffer.byteLength(title) })),
    maxBytes,
  )
  return {
    titles: fitting,
    daysApart: Math.abs(dayOf(first.releaseDate) - dayOf(second.releaseDate)),
    ...(season > 0 && { season }),
  }
}
