import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { distinct, entityFields, LanguageTag, Moment, text, WholeNumber } from './common.ts'
import { DEFAULT_FINDINGS, FINDING_CODES } from './findings.ts'
import { get, post, put } from './route.ts'
import { DEFAULT_SITE_NAME } from './site.ts'
import { EMAIL_LANGUAGES } from './emailLanguages.ts'

/** The minimum retention periods, unless retention is unlimited, in days. */
export const MIN_KEPT_DAYS = { keepVersionsDays: 30, keepActivitiesDays: 30, keepAuditDays: 90 }
/** The maximum retention period in days: 100 years. */
const MAX_KEPT_DAYS = 36_500

const days = (min: number, fault: string) =>
  z.int().check(z.refine((count) => count === 0 || (count >= min && count <= MAX_KEPT_DAYS), fault))

/** The base URL of an API, without a trailing slash; '' for none. It is displayed, so it must not hold a password. */
export const BaseUrl = z.pipe(
  text(500).check(
    z.trim(),
    // `URL` ignores line breaks, and escapes other characters that cannot be stored.
    z.refine((value) => value === '' || (isBaseUrl(value) && !/\s/.test(value)), SENTENCES.baseUrl),
  ),
  z.transform((value) => value.replace(/\/+$/, '')),
)

/** The API key of an AI service, which is sent in a header. */
export const ApiKey = z.string().check(z.trim(), z.maxLength(1000), z.regex(/^[\x20-\x7e]*$/, SENTENCES.plainText))

const general = {
  /** In one line, as it is in the subject of emails. */
  siteName: text(60).check(
    z.overwrite((name) => name.replace(/\s+/g, ' ')),
    z.trim(),
    z.minLength(1, SENTENCES.nameRequired),
  ),
  /** One of `languages`. */
  defaultLanguage: LanguageTag,
  /** The wanted languages, in order; new entries start with them. */
  languages: z.array(LanguageTag).check(z.minLength(1, SENTENCES.languagesNone), z.maxLength(100), distinct()),
  /** The enabled checks (findings.ts). */
  findings: z.array(z.enum(FINDING_CODES)).check(z.maxLength(100), distinct()),
}
const ai = {
  /** An OpenAI-compatible endpoint, such as https://api.example.org/v1; '' for that of AI_BASE_URL. */
  baseUrl: BaseUrl,
  /** The name of the model; '' for that of AI_MODEL. */
  model: text(200).check(z.trim()),
  /** The maximum number of concurrent AI answers per user. AI Compare needs 2. */
  streamsPerUser: z.int().check(z.gte(2), z.lte(50)),
  /** The maximum number of tokens per user and day (UTC); 0 for no limit. */
  dailyTokensPerUser: z.int().check(z.gte(0), z.lte(1_000_000_000)),
}
const security = {
  /** The lifetime of a new session, in hours. */
  sessionHours: z.number().check(z.gte(0.25), z.lte(720)),
}

/** Retention periods in days; 0 for unlimited. */
const retention = {
  /** How long past versions of an entry, and the history of their changes, can be read and restored. */
  keepVersionsDays: days(MIN_KEPT_DAYS.keepVersionsDays, SENTENCES.keptDays),
  keepActivitiesDays: days(MIN_KEPT_DAYS.keepActivitiesDays, SENTENCES.keptDays),
  keepAuditDays: days(MIN_KEPT_DAYS.keepAuditDays, SENTENCES.keptAuditDays),
}

/** The id of the only settings entity, in the database and in the history. */
export const SETTINGS_ID = 'settings'

/** All settings in one flat object, as the ledger compares and stores them. */
export const SettingFields = z.object({ ...general, ...ai, ...security, ...retention })
export type SettingFields = z.output<typeof SettingFields>

export const SettingsInput = z.strictObject({
  general: z.optional(z.partial(z.strictObject(general))),
  ai: z.optional(
    z.partial(
      z.strictObject({
        ...ai,
        /** Write-only. It is bound to the host of the base URL. '' removes it. */
        apiKey: ApiKey,
        /** Read-only; accepted so that settings can be sent back as they were read. */
        hasKey: z.boolean(),
      }),
    ),
  ),
  security: z.optional(z.partial(z.strictObject(security))),
  retention: z.optional(z.partial(z.strictObject(retention))),
})
export type SettingsInput = z.output<typeof SettingsInput>

/** What the compiler demands of a section as it is read: every setting that can be written. */
type Readable<Section> = Record<keyof Section, z.ZodMiniType>

export const Settings = z.object({
  ...entityFields,
  general: z.object({
    siteName: z.string(),
    defaultLanguage: z.string(),
    languages: z.array(z.string()),
    findings: z.array(z.enum(FINDING_CODES)),
  } satisfies Readable<typeof general>),
  ai: z.object({
    baseUrl: z.string(),
    model: z.string(),
    streamsPerUser: WholeNumber,
    dailyTokensPerUser: WholeNumber,
    /** Whether a key for the base URL is stored. */
    hasKey: z.boolean(),
  } satisfies Readable<typeof ai & { hasKey: unknown }>),
  security: z.object({ sessionHours: z.number() } satisfies Readable<typeof security>),
  retention: z.object({
    keepVersionsDays: WholeNumber,
    keepActivitiesDays: WholeNumber,
    keepAuditDays: WholeNumber,
  } satisfies Readable<typeof retention>),
  /** The mail configuration in the server's environment. Without one, emails are saved to a folder of the server. */
  mail: z.object({ isConfigured: z.boolean(), server: z.string(), from: z.string() }),
  /** The AI configuration in the server's environment; the settings override it. */
  variables: z.object({ baseUrl: z.string(), model: z.string(), hasKey: z.boolean(), hasSearch: z.boolean() }),
})
export type Settings = z.output<typeof Settings>

/** The storage of asset files. `size`: the total size of the files as uploaded, in bytes. */
export const StorageState = z.object({
  kind: z.enum(['folder', 'bucket']),
  /** The name of the bucket; '' for a folder. */
  place: z.string(),
  size: WholeNumber,
  images: WholeNumber,
  videos: WholeNumber,
  audio: WholeNumber,
  /** Assets that nothing uses; the count is capped at 10,001. */
  unused: z.object({ count: WholeNumber, size: WholeNumber }),
})
export type StorageState = z.output<typeof StorageState>

export const About = z.object({
  version: z.string(),
  /** The software it contains, sorted by name. `licence` is an SPDX expression. */
  parts: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() })),
  /**
   * The running servers that share the database, in the order they started; only one if the database is embedded. Empty
   * for users who may not read the settings. `schema`: the newest migration that the server knows; `isThis`: it is the
   * server that answers.
   */
  instances: z.array(
    z.object({
      _id: z.string(),
      host: z.string(),
      version: z.string(),
      schema: z.string(),
      storage: z.string(),
      startedAt: Moment,
      isThis: z.boolean(),
    }),
  ),
})
export type About = z.output<typeof About>

/** Why an email could not be delivered. `later`: a temporary failure (4xx); `cut`: the connection was lost. */
export const MAIL_FAILURES = [
  'unreachable',
  'timeout',
  'cut',
  'certificate',
  'encryption',
  'login',
  'sender',
  'address',
  'refused',
  'later',
  'other',
] as const

/** `detail`: the reply of the mail server, or a description of the failure. */
export const MailTest = z.object({
  success: z.boolean(),
  to: z.string(),
  failure: z.optional(z.object({ code: z.enum(MAIL_FAILURES), detail: z.string() })),
})
export type MailTest = z.output<typeof MailTest>

export const settingsApi = {
  find: get('/api/settings', { response: Settings }),
  /** Omitted settings stay unchanged. A conflict is refused with 412, and its paths are names such as `siteName`. */
  update: put('/api/settings', { body: SettingsInput, response: Settings, versioned: true }),
  /** Sends a test email to the caller, and waits for the result. */
  testMail: post('/api/settings/mail/test', {
    body: z.strictObject({ language: z.optional(z.enum(EMAIL_LANGUAGES)) }),
    response: MailTest,
  }),
  storage: get('/api/settings/storage', { response: StorageState }),
  about: get('/api/settings/about', { response: About }),
}

/** The default settings. */
export const newSettings = (): SettingFields => ({
  siteName: DEFAULT_SITE_NAME,
  defaultLanguage: 'en',
  languages: ['en', 'zh'],
  findings: [...DEFAULT_FINDINGS],
  baseUrl: '',
  model: '',
  streamsPerUser: 4,
  dailyTokensPerUser: 500_000,
  sessionHours: 12,
  keepVersionsDays: 0,
  keepActivitiesDays: 0,
  keepAuditDays: 0,
})

function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, search, hash } = new URL(value)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}
