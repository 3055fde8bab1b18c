import type { Tag } from '@mokuroku/contract/tags'
import { Link } from '@tanstack/react-router'
import { AREAS } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import type { ColumnsProps } from '#parts/area/area.ts'
import { NameCell } from '#parts/area/NameCell.tsx'
import { useLabels } from '#parts/labels.ts'
import { DEFAULT_TAG_COLOUR } from '#parts/TagChip.tsx'
import { Badge } from '#ui/Badge.tsx'
import type { Column } from '#ui/Table.tsx'
import { nameOf } from './nameOf.ts'
import css from './TagList.module.css'
import { tagTexts } from './texts.ts'

/** The columns of /tags in the table view. */
export const tagColumns = ({ language }: Pick<ColumnsProps<never>, 'language'>): Column<Tag>[] => {
  const texts = tagTexts.in(language)
  const uses = (key: 'mediaCount' | 'characterCount', head: string, path: string): Column<Tag> => ({
    key,
    head,
    width: '6.5rem',
    align: 'right',
    cell: ({ _id, [key]: used }) =>
      used > 0 ? (
        <Link to={path} search={{ tags: _id }}>
          {count(used, language)}
        </Link>
      ) : (
        count(used, language)
      ),
  })
  return [
    {
      key: 'name',
      head: texts.name,
      cell: (row) => (
        <NameCell
          kind="Tag"
          row={row}
          name={nameOf(row, language)}
          mark={<span className={css.dot} style={{ background: row.color || DEFAULT_TAG_COLOUR }} />}
        />
      ),
    },
    { key: 'type', head: texts.type, width: '9.375rem', cell: (row) => <Value row={row} field="type" /> },
    { key: 'status', head: texts.status, width: '7.5rem', spare: 1, cell: (row) => <Value row={row} field="status" /> },
    uses('mediaCount', texts.media, AREAS.Media.path),
    uses('characterCount', texts.characters, AREAS.Character.path),
  ]
}

function Value({ row, field }: { row: Tag; field: 'type' | 'status' }) {
  const { values } = useLabels().Tag
  const names: Record<string, string> = values[field]
  return <Badge>{names[row[field]]}</Badge>
}
