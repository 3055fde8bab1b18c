import { describe, expect, test } from 'vitest'
import { aiApi, StandardizeInput } from './ai.ts'
import { AssetInput, AssetQuery } from './assets.ts'
import { AuditQuery } from './audit.ts'
import { Login } from './auth.ts'
import { charactersApi } from './characters.ts'
import { CommentInput, MAX_COMMENT_CHARS } from './comments.ts'
import { MAX_LANGUAGES, MAX_NAME_LENGTH, MAX_NAMES, MAX_REFS, Names, Refs, Title, Version } from './common.ts'
import { HistoryQuery, Reason } from './history.ts'
import { mediaApi, MediaInput, MediaQuery } from './media.ts'
import { notificationsApi } from './notifications.ts'
import { RatingInput, ratingsApi, Score } from './ratings.ts'
import { SearchQuery } from './search.ts'
import { SettingFields } from './settings.ts'
import { TagInput, TagQuery } from './tags.ts'
import { TierInput } from './tiers.ts'
import { TrashQuery } from './trash.ts'
import { Email, Password, UserInput, Username, UserQuery } from './users.ts'

const chars = (length: number) => 'x'.repeat(length)
const list = (length: number) => Array.from({ length }, (_, at) => `${at}`)
const languages = (length: number) =>
  Object.fromEntries(list(length).map((at) => [`en-x-${at}`, { title: 'x', description: '' }]))
const { name, requiredScore, permissions } = TierInput.shape
const { maxUploadSizeMB } = permissions.shape
const { duration, translations } = MediaInput.shape
const { siteName, streamsPerUser, dailyTokensPerUser, sessionHours, keepVersionsDays, keepAuditDays } =
  SettingFields.shape
const { ids } = mediaApi.bulk.body.shape
const { query: question, maxResults } = aiApi.searchOutside.body.shape
const email = (length: number) => `${chars(length - 12)}@example.org`
const media = (length: number) =>
  JSON.stringify(list(length).map((id) => ({ id, translations: { en: { title: 'x' } } })))
const batchItems = (length: number) => list(length).map((id) => ({ id, translations: {} }))

// The last accepted and the first refused value on each side.
describe('limits of an input', () => {
  test.each([
    ['a password', Password, [chars(8), chars(200)], [chars(7), chars(201)]],
    ['a username', Username, [chars(3), chars(60)], [chars(2), chars(61)]],
    ['the scores of a user', UserInput.shape.scores, [0, 1_000_000_000], [-1, 1_000_000_001]],
    ['a rating', Score, [0, 0.1, 0.1 + 0.2, 10], [-0.1, 0.05, 9.99, 10.1]],
    ['the name of a tier', name, ['x', chars(100)], ['', ' ', chars(101)]],
    ['a required score', requiredScore, [0, 0.5], [-0.5]],
    ['an upload size', maxUploadSizeMB, [0, 10_000], [-1, 10_001]],
    ['a color', TagInput.shape.color, ['#000000', '#aBcDeF'], ['000000', '#00000', '#0000000', '#00000g']],
    ['a title', Title, ['', chars(1000)], [chars(1001)]],
    ['alternative names', Names, [list(MAX_NAMES), [chars(MAX_NAME_LENGTH)]], [list(201), [chars(1001)], [' ']]],
    ['links', Refs, [list(MAX_REFS)], [list(1001)]],
    ['translations', translations, [{}, languages(MAX_LANGUAGES)], [languages(101)]],
    ['a duration', duration, [null, 0, 1_000_000], [-1, 1_000_001]],
    ['the reason for a rollback', Reason, ['x', chars(500)], ['', ' ', chars(501)]],
    ['a comment', CommentInput.shape.text, ['x', chars(MAX_COMMENT_CHARS)], ['', ' ', chars(2001)]],
    ['an email address', Email, [email(254)], [email(255), 'x']],
    ['the email address of a sign-in', Login.shape.email, [email(254)], [email(255), '']],
    ['the password of a sign-in', Login.shape.password, ['x', chars(1000)], ['', chars(1001)]],
    ['the comment of a rating', RatingInput.shape.comment, ['', chars(5000)], [chars(5001)]],
    ['a filename', AssetInput.shape.filename, ['x', chars(1000)], ['', ' ', chars(1001)]],
    ['the name of the site', siteName, ['x', chars(60)], ['', ' ', chars(61)]],
    ['the hours of a session', sessionHours, [0.25, 720], [0.24, 720.01]],
    ['the days that versions are kept', keepVersionsDays, [0, 30, 36_500], [1, 29, 36_501, 30.5]],
    ['the days that audit entries are kept', keepAuditDays, [0, 90, 36_500], [1, 89, 36_501]],
    ['concurrent AI answers', streamsPerUser, [2, 50], [1, 51]],
    ['the AI tokens of a day', dailyTokensPerUser, [0, 1_000_000_000], [-1, 1_000_000_001]],
    ['a topic', question, ['x', chars(500)], ['', ' ', chars(501)]],
    ['the results of an AI search', maxResults, [1, 300], [0, 301]],
    ['media to standardize', StandardizeInput.shape.text, [media(1), media(30)], ['[]', media(31)]],
    ['standardized media to save', aiApi.saveBatch.body, [batchItems(1), batchItems(200)], [[], batchItems(201)]],
    ['the ids of a bulk change', ids, [['x'], list(1000)], [[], list(1001)]],
    ['the least rating of a filter', MediaQuery.shape.ratingMin, ['0', '10'], ['-0.1', '10.1']],
    ['a page', MediaQuery.shape.page, ['1', '10000000'], ['0', '10000001', '1.5']],
    ['an offset', TagQuery.shape.skip, ['0', '10000000'], ['-1', '10000001']],
    ['a version', Version, [1, 2_147_483_647], [0, 1.5, 2_147_483_648]],
  ])('%s', (_, schema, accepted: unknown[], refused: unknown[]) => {
    for (const value of accepted) expect(schema.safeParse(value)).toMatchObject({ success: true })
    for (const value of refused) expect(schema.safeParse(value)).toMatchObject({ success: false })
  })
})

describe('the size of a page', () => {
  test.each([
    ['media', MediaQuery, 10],
    ['characters', charactersApi.list.query, 10],
    ['the characters of a media item', charactersApi.ofMedia.query, 20],
    ['tags', TagQuery, 20],
    ['assets', AssetQuery, 20],
    ['the translation history', HistoryQuery, 20],
    ['users', UserQuery, 10],
    ['ratings', ratingsApi.list.query, 10],
    ['the trash', TrashQuery, 20],
    ['the audit log', AuditQuery, 50],
  ])('of %s', (_, schema, limit) => {
    expect(schema.parse({})).toMatchObject({ limit })
    expect(schema.parse({ limit: '100' })).toMatchObject({ limit: 100 })
    for (const wrong of ['0', '101', '1.5', 'x']) expect(schema.safeParse({ limit: wrong }).success).toBe(false)
  })

  test('of the notifications is 20, and at most 200', () => {
    const { query } = notificationsApi.list
    expect(query.parse({})).toMatchObject({ limit: 20 })
    expect(query.parse({ limit: '200' })).toMatchObject({ limit: 200 })
    for (const wrong of ['0', '201']) expect(query.safeParse({ limit: wrong }).success).toBe(false)
  })

  test('of a search is 10, and at most 50', () => {
    expect(SearchQuery.parse({})).toMatchObject({ q: '', indexName: 'media', limit: 10 })
    expect(SearchQuery.parse({ limit: '50' })).toMatchObject({ limit: 50 })
    for (const wrong of ['0', '51']) expect(SearchQuery.safeParse({ limit: wrong }).success).toBe(false)
  })
})
