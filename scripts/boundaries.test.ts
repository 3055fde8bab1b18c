// Tests the custom lint rules: the import boundaries, and that browser tests wait. Each line of `refused` is written to
// a temporary copy of the project, and lint must report it.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { kinds } from '@mokuroku/contract/kinds'

const refused: [file: string, line: string][] = [
  ['contract/src/a.ts', "import 'react'"],
  ['contract/src/b.ts', "import 'node:fs'"],
  ['contract/src/c.ts', "import '../../server/src/database/db.ts'"],
  ['contract/src/d.ts', "import 'fastify'"],

  ['server/src/media/a.ts', "import '../../../console/src/lib/text.ts'"],
  ['server/src/media/b.ts', "import 'react'"],
  ['server/src/media/c.ts', "import '../tags/store.ts'"],
  ['server/src/media/d.ts', "import { sql } from 'kysely'"],
  ['server/src/media/e.ts', "import 'pg'"],
  ['server/src/media/f.ts', "import 'node:sqlite'"],
  ['server/src/media/routes.ts', "import 'fastify'"],
  ['server/src/media/g.ts', "import type { FastifyRequest } from 'fastify'"],
  ['server/src/media/h.ts', 'export const port = process.env.PORT'],
  ['server/src/media/i.ts', "import { env } from 'node:process'"],
  ['server/src/media/store.ts', "import './routes.ts'"],
  ['server/src/tags/store.ts', "import 'fastify'"],
  ['server/src/tags/routes.ts', "import '../media/routes.ts'"],
  ['server/src/tags/d.ts', "import '#store/media'"],
  ['server/src/characters/j.ts', "import '#store/media'"],
  ['server/src/search/store.ts', "import '#store/media'"],
  ['server/src/users/store.ts', "import '#store/history'"],
  ['server/src/ai/providers/a.ts', "import '../../media/store.ts'"],
  ['server/src/ai/providers/b.ts', "import { sql } from 'kysely'"],
  ['server/src/lib/a.ts', "import '#store/media'"],
  ['server/src/lib/b.ts', "import '../media/store.ts'"],
  ['server/src/lib/c.ts', "import 'fastify'"],
  ['server/src/lib/d.ts', "import '@fastify/static'"],
  ['server/src/lib/e.ts', "import { Kysely } from 'kysely'"],
  ['server/src/lib/f.ts', "import '#database/db.ts'"],
  ['server/src/database/db.ts', "import 'fastify'"],
  ['server/src/database/a.ts', "import '#ledger/record.ts'"],
  ['server/src/database/b.ts', "import '../access/session.ts'"],
  ['server/src/jobs/a.ts', "import '#ledger/ledger.ts'"],
  ['server/src/access/a.ts', "import '#http/serve.ts'"],
  ['server/src/access/b.ts', "import '#ledger/ledger.ts'"],
  ['server/src/access/c.ts', "import 'fastify'"],
  ['server/src/ledger/a.ts', "import '#http/serve.ts'"],
  ['server/src/ledger/b.ts', "import '#store/media'"],
  ['server/src/http/serve.ts', "import 'pg'"],
  ['server/src/http/a.ts', "import '#database/db.ts'"],
  ['server/src/http/b.ts', "import '#ledger/ledger.ts'"],
  ['server/src/mail/a.ts', "import '#ledger/write.ts'"],
  ['server/src/sandbox/a.ts', "import '#store/assets'"],
  ['server/src/env.ts', "import 'pg'"],
  ['server/src/admin/a.ts', "import 'fastify'"],
  ['server/src/admin/checks/b.ts', "import '../../../../console/src/lib/text.ts'"],
  ['server/src/app.ts', "import { sql } from 'kysely'"],
  ['server/src/main.ts', "import 'fastify'"],
  ['server/test/a.ts', "import '../../console/src/lib/text.ts'"],

  ['console/src/main.tsx', "import '../../server/src/lib/ids.ts'"],
  ['console/src/routes.tsx', "import '@mokuroku/server/src/lib/ids.ts'"],
  ['console/src/lib/a.ts', "import '#ui/Button.tsx'"],
  ['console/src/lib/b.ts', "import '#api/call.ts'"],
  ['console/src/lib/c.ts', "import '#parts/Cover.tsx'"],
  ['console/src/lib/d.ts', "import '../media/MediaList.tsx'"],
  ['console/src/lib/e.ts', "import 'node:path'"],
  ['console/src/ui/a.tsx', "import '#api/call.ts'"],
  ['console/src/ui/b.tsx', "import '#parts/Cover.tsx'"],
  ['console/src/ui/c.tsx', "import '@mokuroku/contract/media'"],
  ['console/src/ui/d.tsx', "import '../media/MediaList.tsx'"],
  ['console/src/i18n/a.ts', "import '#ui/Button.tsx'"],
  ['console/src/api/a.ts', "import '#parts/Cover.tsx'"],
  ['console/src/api/b.ts', "import '../media/MediaList.tsx'"],
  ['console/src/parts/a.tsx', "import '../media/MediaList.tsx'"],
  ['console/src/media/a.tsx', "import '../tags/TagList.tsx'"],
  ['console/src/media/b.tsx', "import '../routes.tsx'"],
  ['console/src/media/c.ts', "export const rows = await fetch('/api/media')"],
  ['console/src/media/d.ts', "export const token = localStorage.getItem('authToken')"],
  ['console/src/media/e.ts', "export const token = window.localStorage.getItem('authToken')"],
  ['console/src/parts/f.ts', "export const rows = await globalThis.fetch('/api/media')"],
  [
    'console/src/parts/g.ts',
    "declare const client: { invalidateQueries: (filter: object) => void }\nexport const done = client.invalidateQueries({ queryKey: ['/api/media'] })",
  ],
  ['console/src/media/g.ts', "import { queryClient } from '#api/queryClient.ts'\nvoid queryClient.refetchQueries()"],
  ['console/src/shell/a.tsx', "import '../media/MediaList.tsx'"],
  ['console/src/pages/a.tsx', "import '../routes.tsx'"],
  ['console/src/media/editor/a.ts', "import '../../tags/TagList.tsx'"],
  ['console/src/parts/one.ts', "import type { Two } from './two.ts'\nexport type One = Two | 1"],
  ['console/src/parts/two.ts', "import type { One } from './one.ts'\nexport type Two = One | 2"],

  ['server/src/tags/one.ts', "export { two as one } from './two.ts'"],
  ['server/src/tags/two.ts', "export { one as two } from './one.ts'"],
  ['server/src/tags/any.ts', 'export const anything: any = 1'],
  ['server/src/tags/sure.ts', "export const first = ['a'].find(Boolean)!"],

  ['e2e/a.spec.ts', 'test(async () => { expect(await rows.allInnerTexts()).toEqual([1]) })'],
  ['e2e/b.spec.ts', 'test(async () => { const found = await rows.count() })'],
  ['e2e/c.spec.ts', 'test(async () => { if (await dialog.isVisible()) await close() })'],
  ['e2e/d.spec.ts', 'test(async () => { for (const row of await rows.all()) await row.click() })'],
  ['e2e/e.spec.ts', 'test(async () => { expect((await box.boundingBox())?.height).toBe(5) })'],
  ['e2e/f.spec.ts', 'test(async () => { expect(await page.evaluate(() => planted)).toBe(1) })'],
  ['e2e/g.spec.ts', "test(() => { expect(new URL(page.url()).pathname).toBe('/') })"],
  ['e2e/h.spec.ts', 'test(async () => { await page.waitForTimeout(150) })'],
  ['e2e/i.spec.ts', 'const order = async () => rows.innerText()\ntest(async () => { expect(await order()).toBe(1) })'],
  [
    'e2e/j.spec.ts',
    "import { textOf } from './support/reading.ts'\ntest(async () => { expect(await textOf(row)).toBe(1) })",
  ],
]

const allowed: [file: string, line: string][] = [
  ['contract/src/z.ts', "import * as z from 'zod/mini'\nimport { Id } from './common.ts'\nexport const a = [z, Id]"],
  ['server/src/app.ts', "import 'fastify'\nimport '#http/serve.ts'\nimport './media/routes.ts'"],
  ['server/src/database/db.ts', "import 'pg'\nimport 'node:sqlite'\nimport 'kysely'\nimport '#lib/ids.ts'"],
  ['server/src/ledger/z.ts', "import 'kysely'\nimport '#access/session.ts'\nimport '#database/db.ts'"],
  ['server/src/http/serve.ts', "import 'fastify'\nimport '#access/session.ts'"],
  ['server/src/env.ts', 'export const port = process.env.PORT'],
  ['server/src/lib/z.ts', "import type { Kysely } from 'kysely'\nexport type A = Kysely<object>"],
  ['server/src/admin/z.ts', "import 'node:sqlite'\nimport 'kysely'\nimport '../assets/storage.ts'"],
  ['server/src/media/store.ts', "import 'kysely'\nimport '#database/db.ts'\nimport '#store/tags'"],
  ['server/src/tags/routes.ts', "import '#store/media'"],
  ['server/src/media/routes.ts', "import '#store/media'\nimport './store.ts'\nimport '@mokuroku/contract/media'"],
  ['server/src/ai/providers/z.ts', "import '../prompts.ts'"],
  ['console/src/routes.tsx', "import './media/MediaList.tsx'"],
  ['console/src/shell/Sidebar.tsx', "import '../nav.ts'\nimport '#ui/Card.tsx'"],
  ['console/src/api/call.ts', "export const rows = await fetch(localStorage.getItem('host') ?? '')"],
  ['console/src/ui/z.tsx', "import '#lib/text.ts'\nimport './Card.tsx'\nimport '@mokuroku/contract/common'"],
  ['console/src/parts/z.tsx', "import '#ui/Card.tsx'\nimport '#api/call.ts'\nimport '@mokuroku/contract/media'"],
  ['console/src/media/z.tsx', "import '#parts/Cover.tsx'\nimport './Columns.tsx'"],

  ['e2e/s.spec.ts', 'test(async () => { await expect(rows).toHaveText([1]) })'],
  ['e2e/t.spec.ts', 'test(async () => { await expect.poll(() => rows.count()).toBeGreaterThan(2) })'],
  ['e2e/u.spec.ts', 'test(async () => { await expect(async () => { await row.innerText() }).toPass() })'],
  [
    'e2e/v.spec.ts',
    'const width = async () => box.boundingBox()\ntest(async () => { await expect.poll(width).toBe(1) })',
  ],
  [
    'e2e/w.spec.ts',
    'test(async () => { const id = await page.evaluate(() => x.getAttribute(1)); await open(page.url()) })',
  ],
  ['e2e/support/x.ts', 'export const read = async (row) => row.innerText()'],
]

const rules =
  /(no-(restricted-(imports|globals|properties)|process-env|cycle|explicit-any|non-null-assertion)|read-once)\)$/
const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes the files next to a copy of our lint configuration, and returns those that lint reports for a rule above. */
function reported(name: string, files: [file: string, line: string][]): Set<string> {
  const place = path.join(folder, name)
  for (const [file, line] of files) {
    mkdirSync(path.dirname(path.join(place, file)), { recursive: true })
    writeFileSync(path.join(place, file), `${line}\n`)
  }
  for (const needed of ['scripts', 'contract/src']) mkdirSync(path.join(place, needed), { recursive: true })
  for (const file of ['oxlint.config.ts', 'scripts/readOnce.ts', 'contract/src/kinds.ts'])
    copyFileSync(path.join(root, file), path.join(place, file))
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'))
  const oxlint = path.join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '-f', 'json'], { cwd: place, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  return new Set(diagnostics.filter(({ code }) => rules.test(code)).map(({ filename }) => filename))
}

test('lint reports every violation', () => {
  const found = reported('refused', refused)
  expect(refused.filter(([file]) => !found.has(file))).toEqual([])
})

test('lint accepts everything that the architecture allows', () => {
  expect([...reported('allowed', allowed)]).toEqual([])
})

test('every server folder is assigned to a layer', () => {
  const source = readFileSync(path.join(root, 'oxlint.config.ts'), 'utf8')
  const known = [...source.matchAll(/^ {2}(\w+): \[|'(\w+)'/gm)].flatMap(([, layer, area]) => layer ?? area ?? [])
  const kindAreas: string[] = Object.values(kinds).map(({ plural }) => plural)
  const folders = readdirSync(path.join(root, 'server/src'), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
  expect(folders.filter((name) => ![...known, ...kindAreas, 'admin'].includes(name))).toEqual([])
})
