// Checks that documents and comments refer only to files and headings that exist in the repository, and that the shell
// can read their commands.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { resolveConfig } from 'vite'
import { expect, test } from 'vitest'
import { filesMatching } from './files.ts'
import { root } from './locked.ts'

const THIS = 'scripts/documents.test.ts'
const files = filesMatching('**/*.{ts,tsx,mjs,js,md,css,sql,json,yaml,yml}').filter(
  (name) => name !== 'package-lock.json' && name !== THIS,
)
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8')
/** The path of a file's relative link, from the repository's root. */
const from = (name: string, link: string): string => path.join(path.dirname(name), link)

/** The anchors of a Markdown file's headings, as GitHub generates them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )

/** Why a link from a file is broken; undefined if it is not. */
function deadLink(name: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#')
  const file = target === '' ? name : from(name, decodeURI(target))
  if (!existsSync(path.join(root, file))) return `${name}: ${link} does not exist`
  if (anchor && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor))
    return `${name}: ${link} has no such heading`
  return undefined
}

/** The relative links of a Markdown file, outside of code. */
const linksOf = (text: string): string[] =>
  [
    ...text
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))

/** The documents and sections that a text refers to by path, as comments do. */
const referencesOf = (text: string): string[] =>
  [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([reference]) => reference)

const decisions = new Set(
  files.filter((name) => name.startsWith('docs/decisions/')).map((name) => path.basename(name).slice(0, 3)),
)

/** The numbers of the decision records that a text refers to. */
const decisionsOf = (text: string): string[] =>
  [...text.matchAll(/\bdocs\/decisions\/(\d+)|\bdecisions? (\d+)\b/gi)].map(([, one, two]) => one ?? two ?? '')

const OUTSIDE = /\bspecification(?:'s)? (?:§|\d|section)|\bspecification's\b|\bthe specification\b|\(specification\b/i

test('the checks detect broken links and references', () => {
  expect(anchorsOf('# A b\n## `c` & D\n')).toEqual(new Set(['a-b', 'c--d']))
  expect(linksOf('[a](b.md#c) `[x](y)` [d](https://example.org)')).toEqual(['b.md#c'])
  expect(deadLink('README.md', 'docs/nowhere.md')).toContain('does not exist')
  expect(deadLink('README.md', 'docs/behaviour.md#nowhere')).toContain('no such heading')
  expect(deadLink('README.md', 'docs/behaviour.md#limits')).toBeUndefined()
  expect(decisionsOf('(docs/decisions/006), decision 011, decisions 5')).toEqual(['006', '011', '5'])
  for (const text of ['(specification 3)', 'Specification 9: 10 users', "the specification's words"])
    expect(text).toMatch(OUTSIDE)
})

test('every relative link in a document points to an existing file and heading', () => {
  const documents = files.filter((name) => name.endsWith('.md'))
  expect(documents.length).toBeGreaterThan(10)
  expect(documents.flatMap((name) => linksOf(read(name)).flatMap((link) => deadLink(name, link) ?? []))).toEqual([])
})

/** Variables that our own scripts and tests set, for the processes that they start. */
const INTERNAL = new Set(['CATALOGUES', 'CLOCK_FILE', 'ENGINE', 'KILLED_AT', 'MOKUROKU_IS_BUILT', 'STAND_INS'])
/** … and those of the system. */
const USUAL = new Set(['CI', 'NODE_ENV', 'PATH', 'PORT'])

test('every variable of the tools is documented', () => {
  const tools = files.filter((name) => /^(scripts|bench|eval|e2e|server\/test|console\/vite|playwright)/.test(name))
  const used = tools.flatMap((name) =>
    [...read(name).matchAll(/\bprocess\.env\.([A-Z\d_]+)/g)].map(([, it = '']) => it),
  )
  const documented = files
    .filter((name) => name.endsWith('.md'))
    .map(read)
    .join('\n')
  const wanted = [...new Set(used)].filter((name) => !INTERNAL.has(name) && !USUAL.has(name))
  expect(wanted).toContain('FAULT_ROUNDS')
  expect(wanted.filter((name) => !new RegExp(`\\b${name}\\b`).test(documented))).toEqual([])
})

test('the console in development is at the address that the README names', async () => {
  const { server } = await resolveConfig({ configFile: path.join(root, 'console/vite.config.ts') }, 'serve')
  expect(read('README.md')).toContain(`http://${String(server.host)}:${server.port} |`)
})

test('every command in a document is one of the POSIX shell', () => {
  const blocks = files
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...read(name).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => ({ name, code })))
  expect(blocks.length).toBeGreaterThan(10)
  const wrong = blocks.flatMap(({ name, code }) => {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' })
    return status === 0 ? [] : `${name}: ${stderr}`
  })
  expect(wrong).toEqual([])
})

test('every reference to a document, section or decision resolves', () => {
  const wrong = files.flatMap((name) => {
    const text = read(name)
    const dead = referencesOf(text).flatMap((reference) => deadLink('README.md', reference) ?? [])
    const unknown = decisionsOf(text).filter((number) => !decisions.has(number))
    return [
      ...dead.map((why) => `${name} → ${why}`),
      ...unknown.map((number) => `${name}: there is no decision ${number}`),
    ]
  })
  expect(wrong).toEqual([])
})

test('no file refers to a document outside the repository', () => {
  expect(files.filter((name) => OUTSIDE.test(read(name)))).toEqual([])
})

test('the README names the browsers that the console is built for', () => {
  const [, targets = ''] = /cssTarget: \[(.*)\]/.exec(read('console/vite.config.ts')) ?? []
  const named = /since (Chrome \S+, Firefox \S+ and Safari \S+)\./.exec(read('README.md'))?.[1]
  expect(targets).toBe(
    named
      ?.toLowerCase()
      .replace(' and', ',')
      .replaceAll(/(\w+) ([\d.]+)/g, "'$1$2'"),
  )
})
