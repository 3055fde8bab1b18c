import type { TagRef } from '@mokuroku/contract/tags'
import type * as z from 'zod/mini'
import type { Language } from '#i18n/messages.ts'
import { isTranslated, type Kind, kindOf, type KindWith } from '@mokuroku/contract/kinds'
import { Day } from '#parts/Day.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import type { Column } from '#ui/Table.tsx'
import type { Area, List, Stored } from './area.ts'
import { columnTexts } from './columnTexts.ts'

/** Tags shown in a row before '+N more'. */
const MAX_TAGS = 10

type Columns = Column<Stored>[]
type Listed = Stored & { tags?: TagRef[]; createdAt: string; updatedAt: string }

/** All available columns of a kind's list: its own, and those of every kind with texts. */
export function columnsOf(
  area: Area,
  { table }: List<z.ZodMiniObject, Stored>,
  props: Parameters<NonNullable<List<z.ZodMiniObject, Stored>['table']>['columns']>[0],
): Columns {
  const own = table?.columns(props) ?? []
  const more = general(area, props.language).filter(({ key }) => own.every((column) => column.key !== key))
  return [...own, ...more]
}

/** The first column, which names the row, and the chosen ones; if none of those exists, the default columns. */
export function shownOf(columns: Columns, chosen: readonly string[]): Columns {
  const [name, ...others] = columns
  const some = new Set(chosen.flatMap((key) => others.find((column) => column.key === key) ?? []))
  return some.size > 0 && name ? [name, ...some] : columns.filter(({ isExtra }) => !isExtra)
}

function general({ kind, editor: { schema } }: Area, language: Language): Columns {
  if (!isTranslated(kind)) return []
  const texts = columnTexts.in(language)
  const day = (key: 'createdAt' | 'updatedAt'): Column<Listed> => ({
    key,
    head: texts[key],
    width: '7.5rem',
    spare: 1,
    isExtra: true,
    cell: ({ [key]: moment }) => <Day moment={moment} />,
  })
  const columns: Column<Listed>[] = [
    {
      key: 'tags',
      head: texts.tags,
      width: '13.75rem',
      spare: 1,
      isExtra: true,
      cell: ({ tags = [] }) => (
        <Row as="span" gap={1} align="stretch" wrap>
          {tags.slice(0, MAX_TAGS).map((tag) => (
            <TagChip key={tag._id} tag={tag} short {...(isTagged(kind) && { leadsTo: kind })} />
          ))}
          {tags.length > MAX_TAGS && <Muted small>{texts.moreTags(tags.length - MAX_TAGS)}</Muted>}
        </Row>
      ),
    },
    day('createdAt'),
    day('updatedAt'),
  ]
  // Rows of kinds with texts have the fields of `Listed`; only some kinds have tags.
  return columns.filter(({ key }) => key !== 'tags' || 'tags' in schema.shape)
}

const isTagged = (kind: Kind): kind is KindWith<'tagCounter'> => 'tagCounter' in kindOf(kind)
