import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { entityFields, LanguageTag, text } from './common.ts'
import { DEFAULT_FINDINGS, FINDING_CODES } from './findings.ts'
import { get, post, put } from './route.ts'
import { DEFAULT_SITE_NAME } from './site.ts'
import { EMAIL_LANGUAGES } from './emailLanguages.ts'

/** What is not kept for ever is kept at least so long, in days. */
export const MIN_KEPT_DAYS = { keepVersionsDays: 30, keepActivitiesDays: 30, keepAuditDays: 90 }
/** 100 years. */
const MAX_KEPT_DAYS = 36_500

const days = (least: number, fault: string) =>
  z.int().check(z.refine((count) => count === 0 || (count >= least && count <= MAX_KEPT_DAYS), fault))

/** An address of an API, without a slash at its end; '' for none. It is shown, so it holds no password. */
export const BaseUrl = z.pipe(
  z.string().check(
    z.trim(),
    z.maxLength(500),
    z.refine((value) => value === '' || isBaseUrl(value), SENTENCES.baseUrl),
  ),
  z.transform((value) => value.replace(/\/+$/, '')),
)

const general = {
  siteName: text(60).check(z.trim(), z.minLength(1, SENTENCES.nameRequired)),
  /** One of `languages`. */
  defaultLanguage: LanguageTag,
  /** What new entries begin with, in this order. */
  languages: z.array(LanguageTag).check(
    z.minLength(1, SENTENCES.languagesNone),
    z.maxLength(100),
    z.overwrite((tags) => [...new Set(tags)]),
  ),
  /** The checks that are on (findings.ts). */
  findings: z.array(z.enum(FINDING_CODES)).check(
    z.maxLength(100),
    z.overwrite((codes) => [...new Set(codes)]),
  ),
}
const ai = {
  /** An OpenAI-compatible endpoint, such as https://api.example.org/v1; '' leaves it to AI_BASE_URL. */
  baseUrl: BaseUrl,
  /** '' leaves it to AI_MODEL. */
  model: text(200).check(z.trim()),
  /** At once. AI Compare needs at least 2. */
  streamsPerUser: z.int().check(z.gte(2), z.lte(50)),
  /** Tokens that one user may spend in a day (UTC); 0 for no limit. */
  dailyTokensPerUser: z.int().check(z.gte(0), z.lte(1_000_000_000)),
}
const security = {
  /** How long a new sign-in lasts. */
  sessionHours: z.number().check(z.gte(0.25), z.lte(720)),
}

/** In days; 0 for ever. */
const retention = {
  /** How long a state that an entry was in stays to be read and restored, with what was changed then. */
  keepVersionsDays: days(MIN_KEPT_DAYS.keepVersionsDays, SENTENCES.keptDays),
  keepActivitiesDays: days(MIN_KEPT_DAYS.keepActivitiesDays, SENTENCES.keptDays),
  keepAuditDays: days(MIN_KEPT_DAYS.keepAuditDays, SENTENCES.keptAuditDays),
}

/** There is one set of settings; this is its id in the history. */
export const SETTINGS_ID = 'settings'

/** Every setting under its own name, as the ledger compares and keeps them. */
export const SettingFields = z.object({ ...general, ...ai, ...security, ...retention })
export type SettingFields = z.output<typeof SettingFields>

export const SettingsInput = z.strictObject({
  general: z.optional(z.partial(z.strictObject(general))),
  ai: z.optional(
    z.partial(
      z.strictObject({
        ...ai,
        /** Write only. It is bound to the host of the base address. '' takes it away. */
        apiKey: z.string().check(z.trim(), z.maxLength(1000), z.regex(/^[\x20-\x7e]*$/, SENTENCES.plainText)),
        /** Read only: settings may be sent back as they were read. */
        hasKey: z.boolean(),
      }),
    ),
  ),
  security: z.optional(z.partial(z.strictObject(security))),
  retention: z.optional(z.partial(z.strictObject(retention))),
})
export type SettingsInput = z.output<typeof SettingsInput>

export const Settings = z.object({
  ...entityFields,
  general: z.object({
    siteName: z.string(),
    defaultLanguage: z.string(),
    languages: z.array(z.string()),
    findings: z.array(z.enum(FINDING_CODES)),
  }),
  ai: z.object({
    baseUrl: z.string(),
    model: z.string(),
    streamsPerUser: z.number(),
    dailyTokensPerUser: z.number(),
    /** Whether a key is kept that fits the base address. */
    hasKey: z.boolean(),
  }),
  security: z.object({ sessionHours: z.number() }),
  retention: z.object({ keepVersionsDays: z.number(), keepActivitiesDays: z.number(), keepAuditDays: z.number() }),
  /** Of the server's environment. Unconfigured, messages go to a folder of the server. */
  mail: z.object({ isConfigured: z.boolean(), server: z.string(), from: z.string() }),
  /** What the server's environment says of AI; the settings override it. */
  variables: z.object({ baseUrl: z.string(), model: z.string(), hasKey: z.boolean(), hasSearch: z.boolean() }),
})
export type Settings = z.output<typeof Settings>

/** Where the files of the assets are. `size` is in bytes, as they were sent; `unused` are assets that nothing shows. */
export const StorageState = z.object({
  kind: z.enum(['folder', 'bucket']),
  /** The name of the bucket. */
  place: z.string(),
  size: z.number(),
  images: z.number(),
  videos: z.number(),
  audio: z.number(),
  /** Up to 10,001 are counted. */
  unused: z.object({ count: z.number(), size: z.number() }),
})
export type StorageState = z.output<typeof StorageState>

export const About = z.object({
  version: z.string(),
  /** What it is made of, by name. `licence` is an SPDX expression. */
  parts: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() })),
  /**
   * The servers that use the database and live, in the order of their starts: one where it is embedded. None for whom
   * the settings are not. `schema` is the newest migration that a server knows; `isThis` is the one that answers.
   */
  instances: z.array(
    z.object({
      _id: z.string(),
      host: z.string(),
      version: z.string(),
      schema: z.string(),
      storage: z.string(),
      startedAt: z.string(),
      isThis: z.boolean(),
    }),
  ),
})
export type About = z.output<typeof About>

/** Why a mail server does not take a message. `later`: it says to try again; `cut`: the connection ended. */
export const MAIL_FAILURES = [
  'unreachable',
  'timeout',
  'cut',
  'certificate',
  'encryption',
  'login',
  'address',
  'refused',
  'later',
  'other',
] as const

/** `detail` is what the mail server said, or what happened. */
export const MailTest = z.object({
  success: z.boolean(),
  to: z.string(),
  failure: z.optional(z.object({ code: z.enum(MAIL_FAILURES), detail: z.string() })),
})
export type MailTest = z.output<typeof MailTest>

export const settingsApi = {
  find: get('/api/settings', { response: Settings }),
  /** What is left out stays. A stale change is answered with 412, its conflicts by name: `siteName`. */
  update: put('/api/settings', { body: SettingsInput, response: Settings }),
  /** Sends a message to who asks, and waits for what becomes of it. */
  testMail: post('/api/settings/mail/test', {
    body: z.strictObject({ language: z.optional(z.enum(EMAIL_LANGUAGES)) }),
    response: MailTest,
  }),
  storage: get('/api/settings/storage', { response: StorageState }),
  about: get('/api/settings/about', { response: About }),
}

/** What holds until somebody changes it. */
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
