// Examples of requests and responses in the OpenAPI description. A test parses each by its schema.
import { denial } from '@mokuroku/contract/denials'
import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'

const [ID, OTHER_ID, BATCH_ID, USER_ID] = [
  '019c683a-57e0-77f5-9298-dffde124fab3',
  '01a22ced-f3c6-708c-8ec6-589a02f99708',
  '01a22cee-0a83-7593-945f-e6cb07662905',
  '01a22b80-efdc-766f-9dd0-2a3b29cddf5b',
]
const TRANSLATIONS = {
  en: { title: 'Mushishi', description: 'A wanderer studies beings that few people can see.' },
  ja: { title: '蟲師', description: '' },
  'zh-Hans': { title: '虫师', description: '' },
}
const MEDIA = {
  mediaType: 'ANIME',
  translations: TRANSLATIONS,
  originalTitle: '蟲師',
  isOngoing: false,
  releaseDate: '2005-10-23T00:00:00.000Z',
  episodes: 26,
}
const STORED_MEDIA = {
  _id: ID,
  version: 1,
  createdAt: '2026-01-05T09:30:00.000Z',
  updatedAt: '2026-01-05T09:30:00.000Z',
  ...MEDIA,
  averageRating: 0,
  ratingCount: 0,
  characters: [],
  tags: [],
  cover: '',
  assets: [],
  createdBy: USER_ID,
  relatedMedia: [],
  characterCount: 0,
  ratingHistogram: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}
const UPLOAD = { filename: 'mushishi.png', size: 5_242_880 }
const STARTED = { batch: BATCH_ID }

interface Example {
  body?: unknown
  response?: unknown
  /** The response to the same call with `dryRun`. */
  preview?: unknown
}

/** By the name of the call. */
export const EXAMPLES: Record<string, Example> = {
  authLogin: { body: { email: 'aki@example.com', password: 'a password of several words' } },
  mediaCreate: { body: MEDIA, response: STORED_MEDIA },
  mediaUpdate: {
    body: { ...MEDIA, isOngoing: true, cover: OTHER_ID },
    response: {
      ...STORED_MEDIA,
      version: 2,
      isOngoing: true,
      cover: { _id: OTHER_ID, url: '/files/01a22ce7-c25f-7214-b1f8-d7f8106d1956.png' },
    },
  },
  mediaBulk: {
    body: { filter: { type: 'ANIME', missing: 'zh-Hans' }, change: { isOngoing: false }, dryRun: true },
    response: STARTED,
    preview: {
      changes: { count: 1, ids: [ID] },
      unchanged: { count: 1, ids: [OTHER_ID] },
      refused: { count: 0, ids: [], reasons: [] },
    },
  },
  uploadsBegin: {
    body: { ...UPLOAD, isPublic: true },
    response: { _id: OTHER_ID, ...UPLOAD, offset: 0, expiresAt: '2026-01-05T21:30:00.000Z' },
  },
  importsApply: { body: { duplicates: 'skip' }, response: STARTED },
  search: {
    response: {
      status: 'ready',
      hits: [
        {
          _id: ID,
          translations: TRANSLATIONS,
          originalTitle: '蟲師',
          cover: '',
          mediaType: 'ANIME',
          releaseDate: MEDIA.releaseDate,
          version: 1,
          match: { text: 'Mushishi', language: 'en', kind: 'exact' },
        },
      ],
    },
  },
  translationsSaveBatch: {
    body: [{ id: ID, version: 1, translations: { fr: { title: 'Mushishi', description: '' } } }],
  },
}

const requestId = 'd408ca5d-c261-425d-b305-6c2c7a754dd5'
const tooLong = fieldError('translations.en.title', 'tooLong', { limit: 1000 })

/** By the name of the response. */
export const ERROR_EXAMPLES: Record<string, unknown> = {
  Invalid: { message: `${tooLong.path}: ${tooLong.message}`, code: 'invalid', errors: [tooLong], requestId },
  Unauthorized: { message: reasonText('signIn'), code: 'unauthorized', requestId },
  Forbidden: { message: reasonText('denied'), code: 'forbidden', requestId, reason: denial('upload', 'Newcomer') },
  NotFound: { message: reasonText('notFound'), code: 'notFound', requestId },
  Conflict: { message: reasonText('partMisplaced'), code: 'offset', requestId, offset: 1_048_576 },
  Stale: {
    message: reasonText('stale'),
    code: 'stale',
    requestId,
    base: MEDIA,
    mine: { ...MEDIA, episodes: 24 },
    theirs: { ...MEDIA, episodes: 25 },
    conflicts: ['episodes'],
    version: 2,
    updatedAt: '2026-01-05T09:31:00.000Z',
    savedBy: ['aki'],
  },
  TooMany: { message: reasonText('tooManyCalls'), code: 'tooMany', requestId, retryAfter: 60 },
}
