// The whole console in a document without a browser: for what its screens say and do. How they look, and that the real
// server answers so, is for e2e. `fetch` is where the console ends; what it answers has the types of the contract.
import type { Asset } from '@mokuroku/contract/assets'
import { assetsApi } from '@mokuroku/contract/assets'
import { authApi, type Me } from '@mokuroku/contract/auth'
import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { mediaApi, type Media } from '@mokuroku/contract/media'
import { type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import type { Response as Answer, Route } from '@mokuroku/contract/route'
import { type Hit, searchApi } from '@mokuroku/contract/search'
import { type Tag, tagsApi } from '@mokuroku/contract/tags'
import { newTier, type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { type User, usersApi } from '@mokuroku/contract/users'
import { EditorView } from '@codemirror/view'
import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { chooseLanguage } from '#api/preferences.ts'
import { queryClient } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { restoreSession } from '#api/signIn.ts'
import type { Language } from '#i18n/messages.ts'
import { dismiss } from '#ui/toast.ts'
import { App } from './App.tsx'
import { router } from './routes.tsx'

/** A call of the console: the address without its query, and what went along. */
export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  base: string | null
  dropped: string | null
}
type Reply = { status: number; body?: unknown; total?: number | undefined } | 'none'
interface Rule {
  matches: (method: string, path: string) => boolean
  reply: (asked: Asked) => Reply
}

/** Every call since the test began, in its order. */
export const asked: Asked[] = []
let rules: Rule[] = []
let holds: { matches: Rule['matches']; released: Promise<void> }[] = []

const ruleFor = (route: Route, reply: Rule['reply']): Rule => {
  const path = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`)
  return { matches: (method, called) => method === route.method && path.test(called), reply }
}

/**
 * What a call is answered from now on: this, or what is made of the call. `total` is how many rows there are, where a
 * header says it and the answer holds fewer.
 */
export function answer<R extends Route>(
  route: R,
  body: Answer<R> | ((asked: Asked) => Answer<R>),
  { total }: { total?: number } = {},
): void {
  const make = typeof body === 'function' ? (body as (asked: Asked) => Answer<R>) : () => body
  rules.unshift(ruleFor(route, (call) => ({ status: route.status ?? 200, body: make(call), total })))
}

/** From now on a call ends in this status, with what the server says; 0: no answer comes. */
export function fail(route: Route, status = 500, body: object = {}): void {
  rules.unshift(ruleFor(route, () => (status === 0 ? 'none' : { status, body })))
}

/** From now on a call waits for its answer until it is let go. */
export function hold(route: Route): () => void {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  holds.push({ matches: ruleFor(route, () => 'none').matches, released })
  return release
}

/** Stands in for the network in every test of the file, and leaves nothing for the next one. */
export function withoutServer(): void {
  // What is hidden is for e2e to see: to find it out here takes most of the time.
  configure({ defaultHidden: true })
  beforeEach(() => {
    vi.stubGlobal('fetch', answered)
    // Failures are told to the developers too.
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    // A menu says that nothing in it can be focused: nothing is ever visible here.
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
  })
  afterEach(async () => {
    cleanup()
    queryClient.clear()
    localStorage.clear()
    sessionStorage.clear()
    rules = []
    holds = []
    asked.length = 0
    for (let id = 0; id < 1000; id += 1) dismiss(id)
    await chooseLanguage('en')
    localStorage.clear()
    vi.unstubAllGlobals()
  })
}

async function answered(url: string, { method = 'GET', body, headers }: RequestInit = {}): Promise<Response> {
  const { pathname, searchParams } = new URL(url, location.href)
  const call = {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    base: new Headers(headers).get('if-match'),
    dropped: new Headers(headers).get('drop-links'),
  }
  asked.push(call)
  for (const { matches, released } of holds) if (matches(method, pathname)) await released
  const reply = rules.find(({ matches }) => matches(method, pathname))?.reply(call) ?? { status: 404, body: {} }
  if (reply === 'none') throw new TypeError('Failed to fetch')
  // The list of media is its rows alone, and a header says how many there are.
  const counted: HeadersInit = Array.isArray(reply.body)
    ? { 'x-total-count': String(reply.total ?? reply.body.length) }
    : {}
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers: counted })
}

const everything = { ...newTier().permissions, canCreateMedia: true, canCreateCharacter: true, canCreateTag: true }

/** Who may do everything. */
const admin: Me = {
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

/** Who may read, and nothing else. */
export const reader: Me = {
  ...admin,
  role: 'user',
  tier: 'Reader',
  permissions: { ...newTier().permissions, canRateContent: false },
}

/** Shows the screen of an address to somebody who is signed in. */
export async function open(path: string, { as = admin, language = 'en' }: { as?: Me; language?: Language } = {}) {
  answer(authApi.verify, { success: true, user: as })
  localStorage.setItem('authToken', `h.${btoa(JSON.stringify({ exp: 9e9 }))}.s`)
  await visit(path, language)
}

/** Shows the screen of an address to whoever the browser knows: a visitor, unless told otherwise. */
export async function visit(path: string, language: Language = 'en') {
  await chooseLanguage(language)
  session.set({ state: 'loading' })
  router.history.replace(path)
  render(<App />)
  await restoreSession()
  // Until its code is there, the screen of the test before is shown.
  await waitFor(() => expect([router.state.status, router.state.resolvedLocation?.href]).toEqual(['idle', path]))
}

/** Where the console is, with its query. */
export const here = () => location.pathname + location.search

/** A message at the top right, once it is there. */
export async function findToast(text: string): Promise<HTMLElement> {
  const one = await screen.findByText(text)
  const message = one.closest<HTMLElement>('[role="alert"], [role="status"]')
  expect(message).not.toBeNull()
  return message ?? one
}

/** The JSON editor, once it is there. */
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

/** Replaces the whole text, as pasting it does. */
export async function write(value: unknown): Promise<void> {
  const view = await editor()
  const insert = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'input.paste' })
}

/** The list of what is wrong, below the editor. */
export const problems = () => document.querySelector('#problems')?.textContent ?? ''

/** The list of findings, below that. */
export const warnings = () => document.querySelector('#warnings')?.textContent ?? ''

export const main = () => within(screen.getByRole('main'))

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

/** Answers every search with these. */
export const hits = (...found: Hit[]) => answer(searchApi.search, { status: 'ready', hits: found })

/** Answers the list of each area with these. */
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
