import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Loaded } from './Loaded.tsx'
import { Table, TableSkeleton } from './Table.tsx'

interface Props<Data, Row> extends Omit<ComponentProps<typeof Table<Row>>, 'rows'> {
  query: UseQueryResult<Data>
  rowsOf: (data: Data) => readonly Row[]
  texts: { loading: string; failed: string }
  /** The number of rows of the skeleton. */
  expected: number
}

/** A table of what a query loads. */
export function LoadedTable<Data, Row>({ query, rowsOf, texts, expected, ...table }: Props<Data, Row>) {
  const { loading, failed } = texts
  const skeleton = <TableSkeleton columns={table.columns} rows={expected} />
  return (
    <Loaded query={query} loading={loading} failed={failed} skeleton={skeleton}>
      {(data) => <Table {...table} rows={rowsOf(data)} />}
    </Loaded>
  )
}
