// Opens every screen once for each call that it makes, with this call failing.
import { authApi } from '@mokuroku/contract/auth'
import { commentsApi } from '@mokuroku/contract/comments'
import { findingsApi } from '@mokuroku/contract/findings'
import { languagesApi } from '@mokuroku/contract/languages'
import type { Api, Route } from '@mokuroku/contract/route'
import { siteApi } from '@mokuroku/contract/site'
import { viewsApi } from '@mokuroku/contract/views'
import { cleanup, screen, waitFor } from '@testing-library/react'
import * as z from 'zod/mini'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { answer, type ConsoleRequest, fail, hold, open, requests, withoutServer } from './testing.tsx'
import { router } from './routes.tsx'

withoutServer()

/** Calls whose failure hides nothing that the user would miss, or that another control then reports. */
const QUIET: readonly Route[] = [
  // The default name and languages are used.
  siteApi.find,
  // Languages can still be typed, and those that are always offered be chosen.
  languagesApi.list,
  // An offer to administrators, which can wait.
  languagesApi.preview,
  // Decorations of rows and of the button for comments.
  findingsApi.marks,
  commentsApi.counts,
]

const MODULES = import.meta.glob<Record<string, unknown>>(['../../contract/src/*.ts', '!**/*.test.ts'], { eager: true })
/** All routes, those without parameters last, as `answer` prefers the last of several that match. */
const ROUTES = Object.values(MODULES)
  .flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Api')))
  .flatMap(([, api]) => Object.values(api as Api))
  .toSorted((one, other) => parametersOf(other) - parametersOf(one))

const SAMPLES = new Map(ROUTES.map((route) => [route, sampleOf(schemaOf(route.response), '')]))

const SCREENS = Object.values(router.routesById as Record<string, { fullPath: string; parentRoute?: { id: string } }>)
  .filter(({ parentRoute, fullPath }) => parentRoute?.id === '/shell' && fullPath !== '/$')
  .map(({ fullPath }) => fullPath.replace('$id', 'a'))
const SECTIONS = ['ai', 'search', 'storage', 'jobs', 'mail', 'security', 'retention', 'about']
const PATHS = [
  ...SCREENS,
  ...SECTIONS.map((section) => `/settings?section=${section}`),
  '/work?kind=Media&view=matrix',
  '/score-permissions?view=matrix',
]

beforeAll(() => {
  // The usual delay before the only retry would be most of the time.
  const { queries } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } })
})

describe.each(PATHS)('%s', (path) => {
  test('says what failed to load', async () => {
    answerAll()
    await openAndWait(path)
    expect(screen.queryAllByRole('alert')).toEqual([])
    const skipped = path === '/' ? QUIET : [...QUIET, viewsApi.list]
    for (const route of new Set(requests.map(routeOf))) {
      if (!route || route.stream || route.path === authApi.verify.path || skipped.includes(route)) continue
      fail(route, 500, { code: 'internal', requestId: '0197-ab' })
      await openAndWait(path)
      const alerts = await waitFor(() => {
        const found = screen.queryAllByRole('alert')
        expect(
          found.map(({ textContent }) => textContent),
          `${route.method} ${route.path}`,
        ).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/Server error\. Please try again later\. ?Request id: 0197-ab/),
          ]),
        )
        return found
      })
      expect(screen.queryByText('Something went wrong on this page')).toBeNull()
      expect(screen.queryAllByRole('button', { name: 'Retry' }).length).toBeGreaterThanOrEqual(alerts.length)
      answerAll()
    }
  })
})

/** Opens a path, and waits until everything on the screen has loaded or failed. */
async function openAndWait(path: string) {
  cleanup()
  queryClient.clear()
  requests.length = 0
  await open(path)
  await settled()
  // What was shown may have begun to load further code.
  await vi.dynamicImportSettled()
  await settled()
}

async function settled() {
  let seen = 0
  let rounds = 0
  await waitFor(
    () => {
      const isLoading = queryClient.isFetching() > 0 || requests.length > seen
      rounds = isLoading ? 0 : rounds + 1
      seen = requests.length
      expect(screen.queryByRole('main')?.querySelector('h1')).toBeTruthy()
      expect([...document.querySelectorAll('[aria-busy="true"]')]).toEqual([])
      expect(rounds).toBeGreaterThan(2)
    },
    { interval: 20 },
  )
}

/** Answers every call, except streams, with a sample of its response. */
function answerAll(): void {
  for (const [route, sample] of SAMPLES) {
    if (route.stream) hold(route)
    else answer(route, sample)
  }
}

function parametersOf({ path }: Route) {
  return path.split(':').length
}

const routeOf = ({ method, path }: ConsoleRequest): Route | undefined =>
  ROUTES.findLast(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  )

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema
  items?: JsonSchema
}

function schemaOf(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
}

/** A short value of a schema: required fields, one item in each list, and null where that is allowed. */
function sampleOf(schema: JsonSchema, name: string): unknown {
  const [first, ...others] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return sampleOf([first, ...others].find(({ type }) => type === 'null') ?? first, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items, name)] : []
  if (schema.type === 'object') {
    const { properties, required = [], additionalProperties: values } = schema
    if (!properties) return { en: sampleOf(values ?? {}, 'en') }
    return Object.fromEntries(required.map((key) => [key, sampleOf(properties[key] ?? {}, key)]))
  }
  if (schema.type === 'null') return null
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (/At$|Date$|^day$/.test(name)) return '2026-01-05T00:00:00.000Z'
  return name === 'tag' || name === 'language' ? 'en' : 'a'
}
