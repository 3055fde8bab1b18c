import type { Span } from './place.ts'

/** A token of a JSON text. A `word` is anything unquoted: numbers, literals, and names without quotes. */
export interface Token extends Span {
  kind: Punctuation | 'string' | 'word'
  /** Whether a string has its closing quote. */
  closed: boolean
}
export type Punctuation = '{' | '}' | '[' | ']' | ':' | ','

/**
 * Splits a text into tokens, however broken it is. JSON strings cannot contain line breaks, so a missing quote affects
 * at most its own line. CodeMirror's parser would give up on the rest of the document, and has a time limit.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    tokenizeLine(text, start, end, tokens)
    start = end + 1
  }
  return tokens
}

function tokenizeLine(text: string, start: number, end: number, tokens: Token[]) {
  const missesQuote = quotesIn(text, start, end) % 2 === 1
  for (let at = start; at < end;) {
    const char = text.charAt(at)
    if (isSpace(char)) at++
    else if (char === '"') {
      const last = tokens.at(-1)
      const isFirst = !last || last.from < start || last.kind === '{' || last.kind === ','
      const token = stringAt(text, at, end, missesQuote, isFirst)
      tokens.push(token)
      at = token.to
    } else if (isPunctuation(char)) tokens.push({ kind: char, from: at, to: ++at, closed: true })
    else {
      const from = at
      while (at < end && !isSpace(text.charAt(at)) && !isPunctuation(text.charAt(at)) && text.charAt(at) !== '"') at++
      tokens.push({ kind: 'word', from, to: at, closed: true })
    }
  }
}

/** In a line with a missing quote, a quote only ends a string if something valid follows it. */
function stringAt(text: string, from: number, end: number, missesQuote: boolean, isFirst: boolean): Token {
  let at = from + 1
  for (; at < end; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '"') {
      if (!missesQuote || canEndAt(text, at + 1, end)) return { kind: 'string', from, to: at + 1, closed: true }
      break
    }
  }
  // A colon after a name, and trailing brackets and commas, belong to the surrounding document.
  const name = isFirst ? /^"[\w-]+(?=:)/.exec(text.slice(from, at)) : null
  let to = name ? from + name[0].length : Math.min(at, end)
  while (to > from + 1 && (isSpace(text.charAt(to - 1)) || isPunctuation(text.charAt(to - 1)))) to--
  return { kind: 'string', from, to, closed: false }
}

function canEndAt(text: string, at: number, end: number) {
  let next = at
  while (next < end && isSpace(text.charAt(next))) next++
  return next >= end || ',:}]'.includes(text.charAt(next))
}

function quotesIn(text: string, start: number, end: number) {
  let count = 0
  for (let at = start; at < end; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '"') count++
  }
  return count
}

const isSpace = (char: string) => char === ' ' || char === '\t' || char === '\r'
const isPunctuation = (char: string): char is Punctuation => '{}[]:,'.includes(char)
