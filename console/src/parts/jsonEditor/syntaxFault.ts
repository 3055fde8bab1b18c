import { parsed, type Span } from './place.ts'
import { type Token, tokenize } from './tokens.ts'

/** Common mistakes that are not valid JSON. */
export type Misfit =
  | 'byteOrderMark'
  | 'comment'
  | 'curlyQuotes'
  | 'singleQuotes'
  | 'fullWidth'
  | 'openString'
  | 'escape'
  | 'trailingComma'
  | 'missingComma'
  | 'word'

export interface SyntaxFault extends Span {
  /** 1-based. */
  line: number
  column: number
  /** The mistake, if it is a known one. */
  misfit: Misfit | undefined
}

/** The position of the first syntax error, and the mistake. */
export function syntaxFault(text: string): SyntaxFault {
  const misfit = firstMisfit(text)
  const from = misfit?.from ?? firstError(text)
  const to = misfit?.to ?? Math.min(from + 1, text.length)
  const before = text.slice(0, from).split('\n')
  return { from, to, line: before.length, column: (before.at(-1) ?? '').length + 1, misfit: misfit?.is }
}

function firstMisfit(text: string): (Span & { is: Misfit }) | undefined {
  if (text.startsWith('\uFEFF')) return { from: 0, to: 1, is: 'byteOrderMark' }
  let last: Token | undefined
  for (const token of tokenize(text)) {
    const own = misfitOf(token, text)
    if (own) return { from: token.from, to: token.to, is: own }
    if (last?.kind === ',' && '}]'.includes(token.kind)) return { from: last.from, to: last.to, is: 'trailingComma' }
    if (last && lacksComma(last, token)) return { from: token.from, to: token.to, is: 'missingComma' }
    last = token
  }
  return undefined
}

function misfitOf({ kind, closed, from, to }: Token, text: string): Misfit | undefined {
  const token = text.slice(from, to)
  if (kind === 'string') return !closed ? 'openString' : isJson(token) ? undefined : 'escape'
  if (kind !== 'word' || isJson(token)) return undefined
  if (/^(\/\/|\/\*|#)/.test(token)) return 'comment'
  if (/[“”„‟«»]/.test(token)) return 'curlyQuotes'
  if (/['`‘’]/.test(token)) return 'singleQuotes'
  return /[，：｛｝［］＂]/.test(token) ? 'fullWidth' : 'word'
}

const lacksComma = (last: Token, next: Token) => !'{[:,'.includes(last.kind) && !'}]:,'.includes(next.kind)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function firstError(text: string): number {
  let from = -1
  parsed(text).iterate({
    enter: (node) => {
      if (from < 0 && node.type.isError) from = node.from
    },
  })
  return from < 0 ? Math.min(saidPosition(text), text.length) : from
}

/** The position that the browser's JSON.parse reports, for the few texts that only it rejects. */
function saidPosition(text: string): number {
  try {
    JSON.parse(text)
    return 0
  } catch (error) {
    return Number(/position (\d+)/.exec(String(error))?.[1] ?? 0)
  }
}
