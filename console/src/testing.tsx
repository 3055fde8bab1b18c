// Runs the whole console in a simulated document, to test what its screens show and do. Layout and the real server are
// for e2e. Only `fetch` is stubbed; its responses have the contract's types.
import type { Asset } from '@mokuroku/contract/assets'
import { assetsApi } from '@mokuroku/contract/assets'
import { authApi, type Me } from '@mokuroku/contract/auth'
import type { Batch } from '@mokuroku/contract/batches'
import { type Character, charactersApi } from '@mokuroku/contract/characters'
import type { Import } from '@mokuroku/contract/imports'
import { mediaApi, type Media } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import type { Response as Answer, Route } from '@mokuroku/contract/route'
import { type Hit, searchApi } from '@mokuroku/contract/search'
import { type Tag, tagsApi } from '@mokuroku/contract/tags'
import { newTier, type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { type User, usersApi } from '@mokuroku/contract/users'
import { viewsApi } from '@mokuroku/contract/views'
import { EditorView } from '@codemirror/view'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { chooseLanguage } from '#api/preferences.ts'
import { queryClient } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { restoreSession } from '#api/signIn.ts'
import type { Language } from '#i18n/messages.ts'
import { dismiss } from '#ui/toast.ts'
import { App } from './App.tsx'
import { router } from './routes.tsx'

/** A request of the console: its path without the query, and its input. */
export interface ConsoleRequest {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  base: string | null
  dropped: string | null
  /** The Idempotency-Key. */
  key: string | null
}
type Reply = { status: number; body?: unknown; total?: number | undefined } | { event: string; data: unknown } | 'none'
interface Rule {
  matches: (method: string, path: string) => boolean
  reply: (request: ConsoleRequest) => Reply
}

/** All requests since the test started, in order, but for those of the shell's stream, which it opens at any time. */
export const requests: ConsoleRequest[] = []
let rules: Rule[] = []
let holds: { matches: Rule['matches']; released: Promise<void> }[] = []

const ruleFor = (route: Route, reply: Rule['reply']): Rule => {
  const path = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`)
  return { matches: (method, called) => method === route.method && path.test(called), reply }
}

/**
 * Stubs the response to a route: a body, or a function of the request. `total` is the number of rows for routes that
 * send it in a header, if the body has fewer.
 */
export function answer<R extends Route>(
  route: R,
  body: Answer<R> | ((request: ConsoleRequest) => Answer<R>),
  { total }: { total?: number } = {},
): void {
  const make = typeof body === 'function' ? (body as (request: ConsoleRequest) => Answer<R>) : () => body
  rules.unshift(ruleFor(route, (call) => ({ status: route.status ?? 200, body: make(call), total })))
}

/** Stubs the response of a stream: one event. */
export function answerEvent<R extends Route & { stream: true }>(
  route: R,
  { event, data }: Answer<R> & { event: string; data: unknown },
): void {
  rules.unshift(ruleFor(route, () => ({ event, data })))
}

/** Makes requests to a route fail with a status and a body; 0: no response. */
export function fail(route: Route, status = 500, body: object = {}): void {
  rules.unshift(ruleFor(route, () => (status === 0 ? 'none' : { status, body })))
}

/** Makes requests to a route fail as those to what has been deleted; `name` is that of its kind. */
export const failMissing = (route: Route, name: string): void =>
  fail(route, 404, { code: 'notFound', message: `${name} not found` })

/** As `fail`, but only the next request; what was stubbed before answers the others. */
export function failOnce(route: Route, status: number, body: object): void {
  const rule = ruleFor(route, () => {
    rules = rules.filter((each) => each !== rule)
    return { status, body }
  })
  rules.unshift(rule)
}

/** Delays responses to a route until the returned function is called. */
export function hold(route: Route): () => void {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  holds.push({ matches: ruleFor(route, () => 'none').matches, released })
  return release
}

/** An upload, which does not use `fetch`: it is recorded, and has no response. */
class Upload extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  open = (method: string, url: string) => void requests.push(requestOf(url, { method }))
  setRequestHeader = vi.fn()
  abort = () => this.dispatchEvent(new Event('abort'))
  send: () => unknown = vi.fn()
}

/** Delays the response to uploads until the returned function is called with its status. */
export function holdUploads(stored: object): (status: number) => void {
  let release: (status: number) => void = () => undefined
  const released = new Promise<number>((resolve) => (release = resolve))
  class Held extends Upload {
    override responseText = JSON.stringify(stored)
    override send = async () => {
      this.status = await released
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Held)
  return release
}

/** Stubs the network in every test of the file, and cleans up after each. */
export function withoutServer(): void {
  beforeEach(() => {
    vi.stubGlobal('fetch', answered)
    vi.stubGlobal('XMLHttpRequest', Upload)
    // The sidebar of every screen loads them.
    answer(viewsApi.list, { data: [] })
    // Errors are also logged.
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    // Mantine's menu warns that it contains nothing focusable, because nothing is visible here.
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
  })
  afterEach(async () => {
    cleanup()
    // Uploads end when another user signs in, and what is kept for forms when that user signs out.
    session.set({ state: 'in', user: { ...admin, _id: 'another' } })
    session.set({ state: 'out', isForgotten: true })
    queryClient.clear()
    // The next test opens its path by the URL, not from the list that this one came from. While its code loads, the
    // screen of this one is not shown: it would fetch what the user of the next may see.
    router.history.replace('/')
    router.stores.setMatches([])
    localStorage.clear()
    sessionStorage.clear()
    rules = []
    holds = []
    requests.length = 0
    for (let id = 0; id < 1000; id += 1) dismiss(id)
    await chooseLanguage('en')
    localStorage.clear()
    vi.unstubAllGlobals()
  })
}

function requestOf(url: string, { method = 'GET', body, headers }: RequestInit): ConsoleRequest {
  const { pathname, searchParams } = new URL(url, location.href)
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    base: new Headers(headers).get('if-match'),
    dropped: new Headers(headers).get('drop-links'),
    key: new Headers(headers).get('idempotency-key'),
  }
}

async function answered(url: string, init: RequestInit = {}): Promise<Response> {
  const call = requestOf(url, init)
  const { method, path: pathname } = call
  if (pathname !== notificationsApi.stream.path) requests.push(call)
  for (const { released } of holds.filter(({ matches }) => matches(method, pathname))) await released
  const reply = rules.find(({ matches }) => matches(method, pathname))?.reply(call) ?? { status: 404, body: {} }
  if (reply === 'none') throw new TypeError('Failed to fetch')
  if ('event' in reply) {
    const { event, data } = reply
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  // Some lists are plain arrays, with their total in a header.
  const counted: HeadersInit = Array.isArray(reply.body)
    ? { 'x-total-count': String(reply.total ?? reply.body.length) }
    : {}
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers: counted })
}

const everything = { ...newTier().permissions, canCreateMedia: true, canCreateCharacter: true, canCreateTag: true }

/** May do everything. */
export const admin: Me = {
  _id: 'me',
  username: 'mori',
  email: 'mori@example.org',
  role: 'admin',
  avatar: '',
  scores: 0,
  tier: '',
  permissions: { ...everything, canEditOwnContent: true, canEditAnyContent: true },
  preferences: { columns: {} },
}

/** May only read. */
export const reader: Me = {
  ...admin,
  role: 'user',
  tier: 'Reader',
  permissions: { ...newTier().permissions, canRateContent: false },
}

/** Opens a path as a signed-in user. */
export async function open(path: string, { as = admin, language = 'en' }: { as?: Me; language?: Language } = {}) {
  answer(authApi.verify, { success: true, user: as })
  localStorage.setItem('authToken', `h.${btoa(JSON.stringify({ exp: 9e9 }))}.s`)
  await visit(path, language)
}

/** Opens a path with the stored token: as a visitor, unless a test has set one. */
export async function visit(path: string, language: Language = 'en') {
  await chooseLanguage(language)
  session.set({ state: 'loading' })
  router.history.replace(path)
  render(<App />)
  await restoreSession()
  // Until the code has loaded, nothing is shown.
  await waitFor(() => expect([router.state.status, router.state.resolvedLocation?.href]).toEqual(['idle', path]))
}

/** Signs in again after the session has ended, and waits for the screen on which that happened. */
export async function signInAgain(path: string, user = admin) {
  await waitFor(() => expect(currentUrl()).toBe('/login'))
  answer(authApi.login, { token: `h.${btoa(JSON.stringify({ exp: 9e9 }))}.${user._id}`, user })
  await userEvent.type(await screen.findByLabelText('Email'), user.email)
  await userEvent.type(screen.getByLabelText('Password'), 'a password{Enter}')
  await waitFor(() => expect(currentUrl()).toBe(path))
}

/** The current URL, without the origin. At once: the document's has the last change of it only a microtask later. */
export const currentUrl = () => router.history.location.pathname + router.history.location.search

/** Waits for the responses to all queries, so that a test can say what does not follow from them. */
export const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))

/** Waits for a toast. */
export async function findToast(text: string): Promise<HTMLElement> {
  await screen.findByText(text)
  // Rendered anew since then if a dialog was opened or closed, whose toaster shows the toasts; gone for a moment.
  const one = screen.queryByText(text)
  if (!one) return findToast(text)
  const message = one.closest<HTMLElement>('[role="log"] > *')
  expect(message).not.toBeNull()
  return message ?? one
}

/** Waits for the JSON editor. */
export async function editor(): Promise<EditorView> {
  const element = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('.cm-editor')
    expect(found).not.toBeNull()
    return found
  })
  const view = element && EditorView.findFromDOM(element)
  if (!view) throw new Error('There is no editor')
  return view
}

/** Replaces the whole text, as pasting does. */
export async function write(value: unknown): Promise<void> {
  const view = await editor()
  const insert = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'input.paste' }))
}

/** The list of errors below the editor. */
export const problems = () => document.querySelector('#problems')?.textContent ?? ''

/** The list of findings below the errors. */
export const warnings = () => document.querySelector('#warnings')?.textContent ?? ''

export const main = () => within(screen.getByRole('main'))
export const button = (name: string) => main().getByRole('button', { name })
export const select = (name: string) => main().getByRole<HTMLSelectElement>('combobox', { name })
export const optionsOf = (name: string) => [...select(name).options].map(({ textContent }) => textContent)

const stored = { version: 1, createdAt: '2026-01-05T00:00:00.000Z', updatedAt: '2026-01-05T00:00:00.000Z' }

export const aTag = (given: Partial<Tag> = {}): Tag => ({
  ...stored,
  _id: 't',
  type: 'GENRE',
  color: '#336699',
  translations: { en: { name: 'Mystery', description: '' } },
  icon: null,
  parentTag: null,
  status: 'ACTIVE',
  usageCount: 0,
  mediaCount: 0,
  characterCount: 0,
  ...given,
})

export const aMedia = (given: Partial<Media> = {}): Media => ({
  ...stored,
  _id: 'm',
  mediaType: 'NOVEL',
  translations: { en: { title: 'Kokoro', description: '' } },
  isOngoing: false,
  releaseDate: '1914-04-20T00:00:00.000Z',
  averageRating: 0,
  ratingCount: 0,
  characterCount: 0,
  characters: [],
  tags: [],
  cover: '',
  assets: [],
  relatedMedia: [],
  ratingHistogram: Array.from({ length: 11 }, () => 0),
  ...given,
})

export const aCharacter = (given: Partial<Character> = {}): Character => ({
  ...stored,
  _id: 'c',
  translations: { en: { name: 'Sensei', description: '' } },
  tags: [],
  assets: [],
  cover: '',
  mediaRefs: [],
  mediaCount: 0,
  ...given,
})

export const anAsset = (given: Partial<Asset> = {}): Asset => ({
  ...stored,
  _id: 'a',
  type: 'AUDIO',
  filename: 'opening.ogg',
  url: '/files/a',
  mimeType: 'audio/ogg',
  size: 1536,
  status: 'READY',
  isPublic: true,
  ...given,
})

export const anImport = (more: Partial<Import> = {}): Import => ({
  _id: 'one',
  entityType: 'Media',
  filename: 'spring.csv',
  size: 100,
  state: 'ready',
  progress: null,
  counts: { new: 1, changed: 1, unchanged: 0, refused: 1, duplicates: 1 },
  total: 4,
  version: 1,
  reason: null,
  batch: null,
  createdBy: { _id: 'someone', username: 'Aiko' },
  createdAt: '2026-01-05T00:00:00.000Z',
  expiresAt: '2026-01-12T00:00:00.000Z',
  columns: [
    { header: 'Title (English)', samples: ['A quiet harbour'] },
    { header: 'Werk', samples: ['x'] },
  ],
  mapping: { 'Title (English)': 'translations.en.title', Werk: null },
  emptyCells: 'keep',
  fields: ['_id', 'translations.en.title', 'translations.ja.title', 'originalTitle'],
  ...more,
})

export const aRating = (given: Partial<Rating> = {}): Rating => ({
  ...stored,
  _id: 'r',
  userId: { _id: 'u', username: 'natsume', avatar: '', fullName: '' },
  mediaId: { _id: 'm', translations: { en: { title: 'Kokoro', description: '' } }, mediaType: 'NOVEL' },
  score: 8.5,
  comment: '',
  ...given,
})

export const aUser = (given: Partial<User> = {}): User => ({
  ...stored,
  _id: 'u',
  username: 'natsume',
  email: 'natsume@example.org',
  role: 'user',
  isActive: true,
  avatar: '',
  scores: 0,
  tier: 'Newcomer',
  lastLogin: null,
  ...given,
})

export const aBatch = (given: Partial<Batch> = {}): Batch => ({
  _id: 'one',
  what: 'change',
  kind: 'Media',
  change: { set: { isOngoing: true }, addTags: ['a', 'b'] },
  rollsBack: null,
  rollback: null,
  reason: null,
  state: 'done',
  total: 3,
  done: 3,
  changed: 2,
  unchanged: 0,
  refused: 1,
  createdBy: { _id: 'someone', username: 'Aiko' },
  createdAt: '2026-01-05T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  ...given,
})

export const aTier = (given: Partial<Tier> = {}): Tier => ({
  ...stored,
  ...newTier(),
  _id: 's',
  name: 'Editor',
  requiredScore: 10,
  userCount: 0,
  ...given,
})

export const aHit = (given: Partial<Hit> = {}): Hit => ({
  _id: 'h',
  translations: { en: { title: 'Kokoro', description: '' } },
  cover: '',
  match: { text: 'Kokoro', language: 'en', kind: 'exact' },
  ...given,
})

/** Stubs the response to every search. */
export const hits = (...found: Hit[]) => answer(searchApi.search, { status: 'ready', hits: found })

/** Stubs the response of a list. */
export const list = {
  media: (...rows: Media[]) => answer(mediaApi.list, rows),
  characters: (...rows: Character[]) =>
    answer(charactersApi.list, { characters: rows, pagination: { total: rows.length, pages: 1, page: 1, limit: 10 } }),
  tags: (...rows: Tag[]) => answer(tagsApi.list, { tags: rows, total: rows.length }),
  assets: (...rows: Asset[]) =>
    answer(assetsApi.list, { data: rows, pagination: { total: rows.length, limit: 20, skip: 0 } }),
  ratings: (...rows: Rating[]) =>
    answer(ratingsApi.list, { ratings: rows, pagination: { total: rows.length, pages: 1, page: 1, limit: 10 } }),
  users: (...rows: User[]) => answer(usersApi.list, { success: true, data: rows, total: rows.length, pages: 1 }),
  tiers: (...rows: Tier[]) => answer(tiersApi.list, { data: rows }),
}
