import type { Character } from '@mokuroku/contract/characters'
import type { ColumnsProps } from '#parts/area/area.ts'
import { NameCell } from '#parts/area/NameCell.tsx'
import { count } from '#lib/sizes.ts'
import type { Column } from '#ui/Table.tsx'
import { nameOf } from './nameOf.ts'
import { characterTexts } from './texts.ts'

/** The columns of /characters in the table view. */
export const characterColumns = ({ language }: Pick<ColumnsProps<never>, 'language'>): Column<Character>[] => {
  const { columns } = characterTexts.in(language)
  return [
    {
      key: 'name',
      head: columns.name,
      cell: (row) => <NameCell kind="Character" row={row} name={nameOf(row, language)} />,
    },
    {
      key: 'mediaCount',
      head: columns.mediaCount,
      width: '7rem',
      align: 'right',
      cell: ({ mediaCount }) => count(mediaCount, language),
    },
  ]
}
