import type { Rating } from '@mokuroku/contract/ratings'
import { newTier, type Permissions, type Tier, type TierInput } from '@mokuroku/contract/tiers'
import type { NewUser, User } from '@mokuroku/contract/users'
import type { APIRequestContext, Page } from '@playwright/test'
import { aWord } from './catalogue.ts'
import { expect } from './fixtures.ts'

export const PASSWORD = 'a good password'

/** An account with a token. */
export interface Person {
  user: User
  token: string
}

const as = (token: string) => ({ authorization: `Bearer ${token}` })

/** Creates an account through the API, as the admin. */
export async function aUser(
  request: APIRequestContext,
  token: string,
  { username = aWord(), ...given }: Partial<NewUser> = {},
) {
  const data = { username, email: `${username.toLowerCase()}@example.org`, password: PASSWORD, ...given }
  const answer = await request.post('/api/users', { data, headers: as(token) })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as User
}

/** Creates an account and signs in. */
export async function aPerson(request: APIRequestContext, token: string, given?: Partial<NewUser>): Promise<Person> {
  const user = await aUser(request, token, given)
  const data = { email: user.email, password: given?.password ?? PASSWORD }
  const answer = await request.post('/api/auth/login', { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return { user, token: ((await answer.json()) as { token: string }).token }
}

/** Signs a page in as a person, replacing any other session. Call it before opening the page. */
export const become = (page: Page, { token }: Person) =>
  page.addInitScript((theirs) => localStorage.setItem('authToken', theirs), token)

/** Creates a rating through the API, as the user of the token. */
export async function aRating(
  request: APIRequestContext,
  token: string,
  { mediaId, score = 7.5, comment = '' }: { mediaId: string; score?: number; comment?: string },
) {
  const answer = await request.post('/api/ratings', { data: { mediaId, score, comment }, headers: as(token) })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Rating
}

let scores = 1_000_000 + Math.floor(Math.random() * 400_000_000)
/** A unique score, higher than those of existing accounts and tiers, so that a new tier affects no other test. */
export const aScore = () => (scores += 10_000)

/** Creates a permission tier through the API, as the admin. */
export async function aTier(
  request: APIRequestContext,
  token: string,
  { permissions, ...given }: Partial<Omit<TierInput, 'permissions'>> & { permissions?: Partial<Permissions> } = {},
) {
  const plain = newTier()
  const data = {
    ...plain,
    name: aWord(),
    requiredScore: aScore(),
    ...given,
    permissions: { ...plain.permissions, ...permissions },
  }
  const answer = await request.post('/api/score-permissions', { data, headers: as(token) })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Tier
}
