import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { groups } from './chunks.ts'
import { schemasApart } from './schemasApart.ts'

const api = process.env.API_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that chunks and style sheets find each other under any base path; index.html uses absolute paths.
  base: './',
  plugins: [react(), schemasApart(), withoutUnusedCode(), smallIcons(), earlyScript(), absolutePage(), precompress()],
  // Not localhost, which may be ::1 alone.
  server: { host: '127.0.0.1', proxy: { '/api': api, '/admin': api, '/files': api } },
  build: {
    manifest: true,
    reportCompressedSize: false,
    // The polyfill is an inline script, which the page's Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
    // The oldest browsers that have what the console needs, such as lists in :lang(), Intl.Segmenter and
    // AbortSignal.any(); the README names them. For older ones, lists in :lang() would be rewritten.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
        // Only hashes, and short ones, since each chunk contains the names of all that it may load: 42 bits are enough
        // for the files of one build. The manifest has the sources.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
      },
    },
  },
})

/** Code that is left out, by the end of the path of its module, and what replaces it. */
const REPLACED = {
  // The search box of Mantine's menu, and the input components that come with it: 5 kB. No menu has one; one that did
  // would fail to render.
  '/MenuSearch/MenuSearch.mjs': 'export const MenuSearch = undefined',
  // No query is infinite; one that was would fail.
  '/infiniteQueryBehavior.js':
    'export const infiniteQueryBehavior = undefined, hasNextPage = undefined, hasPreviousPage = undefined',
  // React has it.
  'use-sync-external-store/shim': "export { useSyncExternalStore } from 'react'",
}

function withoutUnusedCode(): Plugin {
  const stub = '\0stub:'
  return {
    name: 'without-unused-code',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => {
      const replaced = Object.keys(REPLACED).find((each) => source.endsWith(each))
      return replaced && stub + replaced
    },
    load: (id) => (id.startsWith(stub) ? REPLACED[id.slice(stub.length) as keyof typeof REPLACED] : undefined),
  }
}

/**
 * Leaves out the keys of the shapes of icons, which are random: React needs them only to warn during development. Also
 * a statement in each icon that does nothing.
 */
function smallIcons(): Plugin {
  return {
    name: 'small-icons',
    apply: 'build',
    transform: (code, id) =>
      id.includes('/lucide-react/dist/esm/icons/')
        ? code.replaceAll(/, key: "\w+"|^__iconData\.node;$/gm, '')
        : undefined,
  }
}

/**
 * Makes paths in index.html absolute, because screens have paths of several levels; the server prepends a base path.
 */
function absolutePage(): Plugin {
  return {
    name: 'absolute-page',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(/\b(href|src)="\.\//g, '$1="/') },
  }
}

/** Runs `early.ts` as soon as it has loaded: as an import of the entry, it would wait for the whole entry. */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const isEarly = (id: string) => id.endsWith('/console/src/early.ts')
        const early = Object.values(bundle).find((each) => each.type === 'chunk' && each.moduleIds.some(isEarly))
        if (early?.type !== 'chunk' || early.imports.length > 0)
          throw new Error('early.ts is to stand alone (chunks.ts)')
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${early.fileName}` }
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** Writes a .br and a .gz file beside every text file, so that the server only has to select one. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => void (folder = path.resolve(config.root, config.build.outDir)),
    // Not once the bundle is closed, which it also is after an error: that of files that are not there would hide it.
    async writeBundle() {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter((file) => /\.(js|css|html|svg|json|txt)$/.test(file)).map(compress))
    },
  }

  async function compress(file: string) {
    const target = path.join(folder, file)
    const body = await readFile(target)
    if (body.length < 1024) return
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    await writeFile(`${target}.br`, await promisify(brotliCompress)(body, { params }))
    await writeFile(`${target}.gz`, await promisify(gzip)(body, { level: 9 }))
  }
}
