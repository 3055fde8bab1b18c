// Checks that refusal messages are defined in the contract, by code. Those written in the server have no translation.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const server = path.resolve(import.meta.dirname, '../server/src')
const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
  // The console words failures of AI and other hosts by their code.
  (name) => /^(?!ai\/).*(?<!\.test)\.ts$/.test(name),
)

/** Matches a sentence literal that is used as a refusal message: as an argument, or as the value of `message`. */
const SENTENCE = String.raw`['"\`](?=[A-Z][^'"\`\n]* )`
const WORDED = new RegExp(
  [
    String.raw`\bnew Refusal\([^()]*?${SENTENCE}`,
    String.raw`\b(?:invalid|unauthorized|refuse|throwUnsupportedType)\((?:\[[^\]]*\],)?\s*${SENTENCE}`,
    String.raw`\bmessage(?:: string)?(?::| =)\s*${SENTENCE}`,
    String.raw`\bfailure: ${SENTENCE}`,
  ].join('|'),
  'g',
)

test('every status of a refusal is explained in docs/behaviour.md', () => {
  const [, errors = ''] = readFileSync(path.resolve(server, '../../docs/behaviour.md'), 'utf8').split('\n## Errors\n')
  const rows = [...(errors.split('\n## ')[0] ?? '').matchAll(/^\| ([\d, ]+) \|/gm)]
  const explained = new Set(rows.flatMap(([, statuses = '']) => statuses.split(', ')))
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const used = sources.flatMap((name) => [
    ...readFileSync(path.join(server, name), 'utf8').matchAll(/\bRefusal\(\s*([45]\d\d),|\['([45]\d\d) [A-Z]/g),
  ])
  const unexplained = used.map(([, status, refused]) => status ?? refused ?? '').filter((each) => !explained.has(each))
  expect(used.length).toBeGreaterThan(50)
  expect([...new Set(unexplained)]).toEqual([])
})

test('detects refusal messages that are written as literals', () => {
  expect("throw new Refusal(413, 'tooLarge', `The file has ${n} bytes.`)").toMatch(WORDED)
  expect("invalid([{ path: 'by', message: 'Must be short' }])").toMatch(WORDED)
  expect("invalid([wrong], 'Some are wrong.')").toMatch(WORDED)
  expect("throw new Refusal(415, 'mediaType', reasonText('notImage'))").not.toMatch(WORDED)
})

test.each(files)('%s contains no literal refusal message', (name) => {
  expect(readFileSync(path.join(server, name), 'utf8').match(WORDED)).toBeNull()
})
