import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../console/src')
const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g

/** The classes defined in each CSS module. */
const defined = new Map(
  globSync('**/*.module.css', { cwd: src }).map((file) => {
    const text = readFileSync(path.join(src, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return [file, new Set([...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))] as const
  }),
)
const uses = globSync('**/*.{ts,tsx}', { cwd: src }).flatMap((file) => {
  const text = readFileSync(path.join(src, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, local = '', from = '']) => {
    const module = from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from)
    const names = [...text.matchAll(new RegExp(`\\b${local}\\.([a-zA-Z]\\w*)`, 'g'))].map(([, name = '']) => name)
    // Used with a computed class name, or passed to a library as a whole.
    const isOpen = new RegExp(`\\b${local}\\[|=\\{${local}\\}`).test(text)
    return { file, module, names, isOpen }
  })
})

// TypeScript does not check the class names of CSS modules.
describe('CSS modules', () => {
  test('define every class that is used', () => {
    const missing = uses.flatMap(({ file, module, names }) =>
      names.filter((name) => !defined.get(module)?.has(name)).map((name) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('define no unused class', () => {
    const left = [...defined].flatMap(([module, classes]) => {
      const users = uses.filter((use) => use.module === module)
      if (users.some(({ isOpen }) => isOpen)) return []
      const used = new Set(users.flatMap(({ names }) => names))
      return [...classes].filter((name) => !used.has(name)).map((name) => `${module}: ${name}`)
    })
    expect(left).toEqual([])
  })
})

/** Sizes of 16 pixels and more, those of fonts and lines, and widths of the window, by file. */
const PIXELS = new RegExp(
  [
    String.raw`^@media [^{]*\dpx`,
    String.raw`^ *(font-size|line-height|--type-\d): [^;]*\dpx`,
    String.raw`^ *((min-|max-)?(width|height)|flex|flex-basis|grid-template-columns|--(control|row|topbar|page)): [^;]*(?<![\d.])(1[6-9]|[2-9]\d|\d{3,})px`,
  ].join('|'),
  'gm',
)

// Otherwise, texts would not grow with the font size that is set in the browser, or would be cut off by their boxes.
test('what holds text is measured in rem, and the window in em', () => {
  const found = globSync('**/*.css', { cwd: src })
    // A drawing, which is scaled as a whole.
    .filter((file) => file !== 'ui/LineChart.module.css')
    .flatMap((file) => {
      const text = readFileSync(path.join(src, file), 'utf8')
      return [...text.matchAll(PIXELS)].map(([line]) => `${file}: ${line.trim()}`)
    })
  expect(found).toEqual([])
})
