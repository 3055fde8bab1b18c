// Lint rules that the compiler does not check: code quality and the import boundaries (ARCHITECTURE.md, "Who may import
// whom").
// If several overrides match a file, the last one's setting of a rule replaces the others, so the overrides that set
// no-restricted-imports do not overlap. scripts/boundaries.test.ts tests them with lines that violate them.
import { defineConfig, type OxlintOverride } from 'oxlint'
import { kinds } from './contract/src/kinds.ts'

type Rules = OxlintOverride['rules']
type Pattern = { group?: string[]; regex?: string; allowTypeImports?: boolean; message: string }

const contractAlone = {
  group: ['*', '!zod', '!zod/**', '!./**'],
  message: 'The contract depends on zod only: it runs in the browser and in the server.',
}
/** For subfolders of contract/src. */
const contractBelow = { ...contractAlone, group: [...contractAlone.group, '!../*.ts'] }

const noConsole = {
  group: ['@mokuroku/console', '@mokuroku/console/**', '**/console/**', 'react', 'react-dom', '@mantine/**'],
  message: 'The server and the console do not import each other.',
}
const noHttp = { group: ['fastify', '@fastify/**'], message: 'Only http/ and app.ts know the HTTP library.' }
const noDatabase = {
  group: ['kysely', 'kysely/**', 'pg', 'node:sqlite'],
  allowTypeImports: true,
  message: 'Only database/, ledger/, stores and admin/ know the database library.',
}
const noProcess = { group: ['process', 'node:process'], message: 'Only env.ts reads the environment.' }
const noStore = { regex: '^#store/', message: 'A layer below the areas knows no area.' }
const noRoutes = { group: ['./routes.ts'], message: 'A store knows no routes.' }

/** The layers below the server's areas, lowest first, each with the layers that it may import. */
const layers: Record<string, string[]> = {
  lib: [],
  database: ['lib'],
  jobs: ['lib', 'database'],
  access: ['lib', 'database'],
  ledger: ['lib', 'database', 'access'],
  http: ['lib', 'access'],
  mail: ['lib', 'database', 'jobs', 'access'],
  sandbox: ['lib'],
  telemetry: ['lib'],
}
/**
 * The areas, lowest first: services, kinds, features. Each may import the stores of those before it. Routes may import
 * all stores; only app.ts imports routes.
 */
const services = ['audit', 'notifications', 'search', 'languages', 'findings', 'lists', 'uses', 'duplicates']
const kindAreas = Object.values(kinds)
  .map(({ plural }) => plural)
  .toReversed()
const features = [
  'views',
  'comments',
  'presence',
  'work',
  'dashboard',
  'history',
  'revisions',
  'trash',
  'retention',
  'batches',
  'exports',
  'imports',
  'ai',
  'auth',
  'invitations',
  'sample',
]
const areas = [...services, ...kindAreas, ...features]

const noServer = {
  group: ['@mokuroku/server', '@mokuroku/server/**', '**/server/**', 'node:*', 'fastify', 'kysely', 'pg'],
  message: 'The server and the console do not import each other.',
}
const noEntity = { group: ['@mokuroku/contract/**', '!@mokuroku/contract/common'], message: 'ui knows no entity.' }

const inside = {
  regex: String.raw`^\.\./`,
  message: 'What lies outside this folder is imported by its alias (#lib/…).',
}
const insideExceptNav = { group: ['../**', '!../nav.ts'], message: 'The frame around the areas knows nav.ts only.' }
const insideArea = { regex: String.raw`^\.\./\.\./`, message: 'What lies outside this area is imported by its alias.' }

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'react', 'jsx-a11y', 'import', 'promise', 'vitest', 'node'],
  categories: { correctness: 'error', perf: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['**/dist/**', 'node_modules/**', 'data/**', 'data-demo/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'oxc/no-map-spread': 'off',
    'react/no-array-index-key': 'off',
    'react/react-in-jsx-scope': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/require-mock-type-parameters': 'off',
  },
  overrides: [
    { files: ['contract/src/*'], excludeFiles: ['**/*.test.ts'], rules: refuse(contractAlone) },
    { files: ['contract/src/*/**'], excludeFiles: ['**/*.test.ts'], rules: refuse(contractBelow) },

    {
      files: ['server/src/*.ts'],
      excludeFiles: ['server/src/{app,env}.ts'],
      rules: refuse(noConsole, noHttp, noDatabase, noProcess),
    },
    { files: ['server/src/app.ts'], rules: refuse(noConsole, noDatabase, noProcess) },
    { files: ['server/src/env.ts'], rules: refuse(noConsole, noHttp, noDatabase, noStore) },
    ...Object.keys(layers).map((layer) => ({
      files: [`server/src/${layer}/**`],
      excludeFiles: ['**/*.test.ts'],
      rules: refuse(
        noConsole,
        noProcess,
        noStore,
        inside,
        onlyLayers(layer),
        ...(layer === 'http' ? [] : [noHttp]),
        ...(layer === 'database' || layer === 'ledger' ? [] : [noDatabase]),
      ),
    })),
    ...areas.flatMap((area, at): OxlintOverride[] => {
      const above = noAreas(areas.slice(at + 1))
      return [
        {
          files: [`server/src/${area}/{store,labelStore}.ts`],
          rules: refuse(noConsole, noHttp, noProcess, noRoutes, inside, ...above),
        },
        {
          files: [`server/src/${area}/*.ts`],
          excludeFiles: ['**/{store,labelStore,routes}.ts', '**/*.test.ts'],
          rules: refuse(noConsole, noHttp, noDatabase, noProcess, inside, ...above),
        },
        {
          files: [`server/src/${area}/{routes,*.test}.ts`],
          rules: refuse(noConsole, noHttp, noDatabase, noProcess, inside),
        },
        {
          files: [`server/src/${area}/*/**`],
          rules: refuse(noConsole, noHttp, noDatabase, noProcess, insideArea, ...above),
        },
      ]
    }),
    // The operator's commands use every area, and the database directly.
    { files: ['server/src/admin/**'], rules: refuse(noConsole, noHttp, noProcess) },
    { files: ['server/test/**'], rules: refuse(noConsole) },
    { files: ['e2e/*.spec.ts'], jsPlugins: ['./scripts/readOnce.ts'], rules: { 'e2e/read-once': 'error' } },
    {
      files: ['server/src/**'],
      excludeFiles: ['server/src/env.ts', '**/*.test.ts'],
      rules: { 'node/no-process-env': 'error' },
    },

    { files: ['console/src/*.{ts,tsx}'], rules: refuse(noServer) },
    {
      // Tests may start a server of their own.
      files: ['console/src/lib/**'],
      excludeFiles: ['**/*.test.ts'],
      rules: refuse(noServer, noLayer('ui', 'api', 'parts', 'i18n'), inside),
    },
    { files: ['console/src/i18n/**'], rules: refuse(noServer, noLayer('ui', 'api', 'parts'), inside) },
    { files: ['console/src/ui/**'], rules: refuse(noServer, noLayer('api', 'parts'), noEntity, inside) },
    { files: ['console/src/api/**'], rules: refuse(noServer, noLayer('parts'), inside) },
    {
      files: ['console/src/*/*'],
      excludeFiles: ['console/src/{lib,i18n,ui,api,shell,pages}/**'],
      rules: refuse(noServer, inside),
    },
    { files: ['console/src/{shell,pages}/*'], rules: refuse(noServer, insideExceptNav) },
    {
      files: ['console/src/*/*/**'],
      excludeFiles: ['console/src/{lib,i18n,ui,api}/**'],
      rules: refuse(noServer, insideArea),
    },
    {
      files: ['console/src/**'],
      excludeFiles: ['console/src/api/**', 'console/src/testing.tsx', '**/*.test.{ts,tsx}'],
      rules: onlyInApi('fetch', 'localStorage', 'EventSource', 'XMLHttpRequest'),
    },

    // A failed delete or rollback is logged to the console as well as shown.
    { files: ['console/src/**'], rules: { 'no-console': ['error', { allow: ['error'] }] } },
    { files: ['server/src/{main,admin}.ts', 'scripts/**', 'bench/**', 'console/*.ts'], rules: { 'no-console': 'off' } },
    {
      // On phones, table rows are displayed as blocks, and browsers then drop their implicit ARIA roles.
      files: ['console/src/ui/Table.tsx'],
      rules: { 'jsx-a11y/no-redundant-roles': 'off', 'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off' },
    },
    {
      // The chart can be explored with the arrow keys.
      files: ['console/src/ui/LineChart.tsx'],
      rules: {
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
      },
    },
    // A table that is navigated cell by cell with the arrow keys is a grid: ARIA Authoring Practices, "Grid".
    {
      files: ['console/src/{work/MatrixGrid,tiers/TierMatrix}.tsx'],
      rules: { 'jsx-a11y/no-noninteractive-element-to-interactive-role': 'off' },
    },
    // The focus stays in the input, which handles the keys of the options (aria-activedescendant).
    { files: ['console/src/parts/SearchSelect.tsx'], rules: { 'jsx-a11y/click-events-have-key-events': 'off' } },
    // The label passes clicks on; keys reach the checkbox itself.
    {
      files: ['console/src/parts/selection/SelectBox.tsx'],
      rules: {
        'jsx-a11y/click-events-have-key-events': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
      },
    },
    // A dialog must take the focus when it opens.
    { files: ['console/src/ui/**'], rules: { 'jsx-a11y/no-autofocus': 'off' } },
  ],
})

function refuse(...patterns: Pattern[]): Rules {
  return { 'no-restricted-imports': ['error', { patterns }] }
}

function onlyLayers(layer: string): Pattern {
  const others = Object.keys(layers).filter((each) => each !== layer && !layers[layer]?.includes(each))
  return {
    regex: `^#(${[...others, layer].join('|')})/`,
    message: `${layer} imports ${['./', ...(layers[layer] ?? [])].join(', ')}`,
  }
}

function noAreas(names: string[]): Pattern[] {
  return names.length === 0 ? [] : [{ regex: `^#store/(${names.join('|')})$`, message: 'This area stands above.' }]
}

function noLayer(...names: string[]): Pattern {
  return { regex: `^#(${names.join('|')})/`, message: 'lib ← ui ← api, parts ← areas ← routes.tsx' }
}

function onlyInApi(...names: string[]): Rules {
  const message = 'Only console/src/api talks to the server and keeps what lasts.'
  const properties = names.flatMap((property) =>
    ['window', 'globalThis'].map((object) => ({ object, property, message })),
  )
  const fresh = 'A call marks by itself what it made outdated (contract/src/freshness.ts); nobody else does.'
  const byHand = ['invalidateQueries', 'refetchQueries', 'resetQueries', 'removeQueries']
  return {
    'no-restricted-globals': ['error', ...names.map((name) => ({ name, message }))],
    'no-restricted-properties': ['error', ...properties, ...byHand.map((property) => ({ property, message: fresh }))],
  }
}
