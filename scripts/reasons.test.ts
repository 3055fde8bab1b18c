import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const server = readdirSync(path.join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(root, 'server/src', name), 'utf8'))
  .join('\n')
const chinese = readFileSync(path.join(root, 'console/src/i18n/zh.ts'), 'utf8')
const reasons = /\n {2}reasons: \{\n([\s\S]*?)\n {2}\},/.exec(chinese)?.[1] ?? ''
const sentences = [...reasons.matchAll(/^ {4}'(.+?)':/gm)].map(([, sentence = '']) => sentence)

test('there are sentences of the server with a translation', () => expect(sentences.length).toBeGreaterThan(10))

test.each(sentences)('the server still says: %s', (sentence) => expect(server).toContain(sentence))
