// Bans identifiers that are unusual or ambiguous. Comments and strings may contain these words.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesMatching } from './files.ts'
import { root } from './locked.ts'

const THIS = 'scripts/names.test.ts'

/** The banned names, each with what to write instead. */
const BANNED: Record<string, string> = {
  tell: 'record, notify, log, showToast, announce',
  told: 'a noun: context, notified, entries',
  telling: 'options',
  look: 'inspect, probe, poll, variant',
  KEEPERS: 'STORES, MODERATORS',
  keeper: 'store',
  Keeper: 'EntityStore',
  keepers: 'stores',
  keeping: 'definition',
  Keeping: 'EntityDefinition',
  MOST: 'MAX_… with its noun and unit',
  PATIENCE: '…_TIMEOUT_MS',
  patience: 'timeout',
  LASTS: '…_TTL_MS, …_TTL_SECONDS, DURATION_MS',
  AT_ONCE: 'BATCH_SIZE, CONCURRENCY',
  LONGEST: 'MAX_…_CHARS',
  Letter: 'EmailMessage',
  sendings: 'uploadSessions',
  Sending: 'UploadSession',
  Bones: '…Skeleton',
  bones: 'skeleton',
  begun: 'started, a noun',
  meant: 'bestMatches, selected',
  elsewhere: 'external, remote, a noun',
  hurry: 'enforceTimeouts',
  hurried: 'withTimeouts',
  happening: 'event',
  Happening: 'AuditEvent',
  wake: 'publish',
  sleepers: 'listeners',
  By: 'WriteContext',
}

/** The code of a file: without comments and the contents of strings and template literals. */
function codeOf(text: string): string {
  let code = ''
  /** The depth of braces in the expression of each enclosing template literal, innermost last. */
  const depths: number[] = []
  const skipTemplate = (from: number): number => {
    for (let at = from; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1
      else if (text[at] === '`') return at
      else if (text.startsWith('${', at)) {
        depths.push(0)
        return at + 1
      }
    }
    return text.length
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (text.startsWith('//', at) && text[at - 1] !== ':') at = endOf(text, '\n', at) - 1
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2) + 1
    else if (/['"]/.test(char) && /[\s(,[{:=!?&|<>+]/.test(text[at - 1] ?? ' ')) {
      const line = /^(['"])(?:\\.|(?!\1)[^\\\n])*\1/.exec(text.slice(at, at + 2000))
      at += (line?.[0].length ?? 1) - 1
      code += '""'
    } else if (char === '`') at = skipTemplate(at + 1)
    else {
      const depth = depths.at(-1)
      if (depth !== undefined && char === '}') {
        if (depth === 0) {
          depths.pop()
          at = skipTemplate(at + 1)
          continue
        }
        depths[depths.length - 1] = depth - 1
      } else if (depth !== undefined && char === '{') depths[depths.length - 1] = depth + 1
      code += char
    }
  }
  return code
}

const endOf = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from)
  return at < 0 ? text.length : at
}

/** The identifiers in the code of a file. */
const namesIn = (text: string): string[] => codeOf(text).match(/[A-Za-z_$][\w$]*/g) ?? []

const isBanned = (name: string): boolean => Object.hasOwn(BANNED, name) || name.startsWith('MOST_')

test('finds identifiers in code, but not in comments or strings', () => {
  const text = "// tell\n/** look */ const a = 'told' + `meant ${hurry({ b: `x ${MOST} y` })} begun` // MOST_OF"
  expect(namesIn(text).filter(isBanned)).toEqual(['hurry', 'MOST'])
})

test('no banned name is in use', () => {
  const files = filesMatching('**/*.{ts,tsx,mjs}').filter((name) => name !== THIS)
  const found = files.flatMap((file) => {
    const counts = new Map<string, number>()
    for (const name of namesIn(readFileSync(path.join(root, file), 'utf8')))
      if (isBanned(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
    return [...counts].map(([name, count]) => `${file}: ${name} ×${count} → ${BANNED[name] ?? 'MAX_…'}`)
  })
  expect(found).toEqual([])
})
