import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { type Language, useLanguage, useMessages } from '#i18n/messages.ts'
import { isTranslated } from '@mokuroku/contract/kinds'
import { MarksOfPage } from '#parts/marks/marks.tsx'
import { RowBox } from '#parts/selection/SelectBox.tsx'
import type { Selecting } from '#parts/selection/useSelection.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { type Column, Table, TableSkeleton } from '#ui/Table.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import type { Area, List, Rows, Stored } from './area.ts'
import { RowActions } from './RowActions.tsx'

interface Props {
  area: Area
  list: List<z.ZodMiniObject, Stored>
  limit: number
  found: UseQueryResult<Rows<Stored>>
  onDelete: (row: Stored) => void
  empty: ReactNode
  selecting: Selecting | undefined
}

type TableProps = Props & { table: NonNullable<Props['list']['table']>; columns: readonly Column<Stored>[] }

/** The rows as a table with the chosen columns. */
export function AsTable(props: TableProps) {
  const { area, limit, found, empty, selecting } = props
  const language = useLanguage()
  const texts = area.texts(language)
  const { common } = useMessages()
  const columns = [...props.columns, actionsColumn(props, common.actions)]
  return (
    <Loaded
      query={found}
      loading={texts.loading}
      failed={texts.failed}
      skeleton={<TableSkeleton columns={columns} rows={limit} isDense={props.table.isDense} />}
    >
      {({ rows }) => (
        <Marked area={area} rows={rows}>
          <Table
            label={texts.title}
            columns={columns}
            rows={rows}
            rowKey={({ _id }) => _id}
            empty={empty}
            isDense={props.table.isDense}
            selection={
              selecting && {
                isSelected: ({ _id }) => selecting.isSelected(_id),
                box: (row) => boxOf(area, row, selecting, language),
              }
            }
          />
        </Marked>
      )}
    </Loaded>
  )
}

const boxOf = (area: Area, row: Stored, selecting: Selecting, language: Language) => (
  <RowBox row={row} name={area.nameOf(row, language).text} selecting={selecting} />
)

const actionsColumn = ({ area, list, table, onDelete }: TableProps, head: string): Column<Stored> => ({
  key: 'actions',
  head,
  width: table.actionsWidth,
  actions: true,
  cell: (row) => (
    <>
      {list.RowActions && <list.RowActions row={row} />}
      <RowActions area={area} row={row} onDelete={onDelete} />
    </>
  ),
})

/** The rows as a grid of cards. */
export function AsCards({ area, list: { cards }, limit, found, onDelete, empty, selecting }: Props) {
  const language = useLanguage()
  const texts = area.texts(language)
  useRowKeys()
  if (!cards) return null
  return (
    <Loaded
      query={found}
      loading={texts.loading}
      failed={texts.failed}
      skeleton={
        <div className={cards.className} aria-hidden>
          {Array.from({ length: limit }, (_, card) => (
            <cards.Skeleton key={card} />
          ))}
        </div>
      }
    >
      {({ rows }) =>
        rows.length === 0 ? (
          empty
        ) : (
          <Marked area={area} rows={rows}>
            <ul className={cards.className} aria-label={texts.title} data-list>
              {rows.map((row) => (
                <cards.Card
                  key={row._id}
                  row={row}
                  box={selecting && boxOf(area, row, selecting, language)}
                  actions={<RowActions area={area} row={row} onDelete={onDelete} size="small" />}
                />
              ))}
            </ul>
          </Marked>
        )
      }
    </Loaded>
  )
}

/** Provides the findings about the rows' languages, for kinds with texts. */
function Marked({
  area: { kind },
  rows,
  children,
}: Pick<Props, 'area'> & { rows: readonly Stored[]; children: ReactNode }) {
  if (!isTranslated(kind)) return children
  return (
    <MarksOfPage kind={kind} ids={rows.map(({ _id }) => _id)}>
      {children}
    </MarksOfPage>
  )
}
