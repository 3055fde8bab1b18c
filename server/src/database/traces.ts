import { type CompiledQuery, IdentifierNode, type OperationNode, TableNode } from 'kysely'
import { beginSpan, isTracing } from '#lib/tracing.ts'

/** The first word of raw SQL, which names its operation; the rest is not inspected. */
const WORDS = /^\s*(begin|commit|rollback|savepoint|release|select|insert|update|delete|with|set|notify|pragma)\b/i

/** Records a finished statement as a span of its caller, named by operation and table, and without any values. */
export function traceStatement(
  { query, sql }: CompiledQuery,
  {
    system,
    milliseconds,
    failure,
  }: { system: 'sqlite' | 'postgresql'; milliseconds: number; failure?: string | undefined },
): void {
  if (!isTracing()) return
  const operation = query.kind === 'RawNode' ? (WORDS.exec(sql)?.[1] ?? 'raw') : query.kind.replace('QueryNode', '')
  const name = operation.toUpperCase()
  const table = tableIn(query)
  const span = beginSpan(table ? `${name} ${table}` : name, {
    kind: 'client',
    beganAt: Date.now() - milliseconds,
    attributes: {
      'db.system.name': system,
      'db.operation.name': name,
      ...(table && { 'db.collection.name': table }),
      ...(failure !== undefined && { 'db.response.status_code': failure }),
    },
  })
  span?.end(failure)
}

/** The table that a statement is about: the first one in it. */
function tableIn(node: OperationNode): string | undefined {
  if (TableNode.is(node)) return node.table.identifier.name
  const found = Object.entries(node).find(([part]) => part === 'from' || part === 'into' || part === 'table')?.[1]
  return found === undefined ? undefined : firstTable(found)
}

function firstTable(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  if (TableNode.is(part as OperationNode)) return (part as TableNode).table.identifier.name
  if (IdentifierNode.is(part as OperationNode)) return undefined
  for (const each of Object.values(part)) {
    const found = firstTable(each)
    if (found !== undefined) return found
  }
  return undefined
}
