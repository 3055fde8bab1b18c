import {
  newSettings,
  SettingFields,
  SETTINGS_ID,
  type Settings,
  type SettingsInput,
  type StorageState,
} from '@mokuroku/contract/settings'
import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import type { Site } from '@mokuroku/contract/site'
import { fieldError } from '@mokuroku/contract/faults'
import { flagCounters } from '#ledger/assetFlags.ts'
import { countersOf } from '#ledger/counters.ts'
import { db, advisoryLock, transaction, type Transaction } from '#database/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { ledger } from '#ledger/ledger.ts'
import { snapshotAt } from '#ledger/snapshots.ts'
import { mailState } from '#mail/send.ts'
import { enforce, checkPermission, SYSTEM } from '#access/permissions.ts'
import { seal, unseal } from '#access/seal.ts'
import type { Tables } from '#database/tables.ts'

/** Values from the server's environment; the settings override those about AI. */
export interface Variables {
  AI_BASE_URL?: string | undefined
  AI_API_KEY?: string | undefined
  AI_MODEL?: string | undefined
  AI_SEARCH_URL?: string | undefined
  S3_BUCKET?: string | undefined
}
let variables: Variables = {}

/** The AI settings in effect: the stored ones, or else those of the environment. '' if neither has a value. */
export interface AiSettings {
  /** URL of an OpenAI-compatible endpoint, without a trailing slash. */
  baseUrl: string
  model: string
  /** Stored for the host of `baseUrl`. Some endpoints need none. */
  apiKey: string
  /** URL of an external AI search service. */
  searchUrl: string
  streamsPerUser: number
  /** 0 for no limit. */
  dailyTokensPerUser: number
}

/**
 * Settings that require the password again: with a stolen session, nobody must be able to have AI requests sent
 * elsewhere or under another key, or to have the records of their actions deleted.
 */
const SENSITIVE = new Set(['baseUrl', 'apiKey', 'keepVersionsDays', 'keepActivitiesDays', 'keepAuditDays'])

const kept = ledger<SettingFields>({
  kind: 'Setting',
  fields: Object.keys(SettingFields.shape),
  empty: newSettings(),
  title: () => 'Settings',
  activity: () => undefined,
  // The API key is write-only. It is encrypted anew each time, so it always counts as a change.
  reauthentication: ({ paths }) => (paths.some((path) => SENSITIVE.has(path)) ? 'recent' : undefined),
  check: async (_tx, _id, _before, after) => {
    if (after && !after.languages.includes(after.defaultLanguage))
      invalid([fieldError('general.defaultLanguage', 'languageOther')])
  },
})

export const settings = {
  ...kept,

  /** Takes the values of the environment, and creates the settings if there are none yet. */
  open: async (given: Variables): Promise<void> => {
    variables = given
    await transaction(async (tx) => {
      await advisoryLock(tx, 'settings')
      if (!(await kept.row(SETTINGS_ID, tx)))
        await kept.createIn(tx, SETTINGS_ID, {}, { actor: SYSTEM, origin: 'system' })
    })
  },

  /** The settings as they may be shown: whether there is an API key, but not the key. */
  find: async (): Promise<Settings> => {
    const row = await stored()
    const { _id, version, createdAt, updatedAt, siteName, defaultLanguage, languages, findings, sessionHours } = row
    const { baseUrl, model, streamsPerUser, dailyTokensPerUser } = row
    const { keepVersionsDays, keepActivitiesDays, keepAuditDays } = row
    return {
      _id,
      version,
      createdAt,
      updatedAt,
      general: { siteName, defaultLanguage, languages, findings },
      ai: { baseUrl, model, streamsPerUser, dailyTokensPerUser, hasKey: keyIn(row) !== undefined },
      security: { sessionHours },
      retention: { keepVersionsDays, keepActivitiesDays, keepAuditDays },
      mail: mailState(),
      variables: {
        baseUrl: variables.AI_BASE_URL ?? '',
        model: variables.AI_MODEL ?? '',
        hasKey: variables.AI_API_KEY !== undefined,
        hasSearch: variables.AI_SEARCH_URL !== undefined,
      },
    }
  },

  /** The public settings. */
  site: async (): Promise<Site> => {
    const { siteName: name, defaultLanguage, languages, findings } = await stored()
    return { name, defaultLanguage, languages, findings }
  },

  /** The site's name in an email, and the email's language: the given one, or the one for the site's default language. */
  forEmail: async (language?: EmailLanguage): Promise<{ site: string; language: EmailLanguage }> => {
    const { siteName: site, defaultLanguage } = await stored()
    return { site, language: language ?? (defaultLanguage.startsWith('zh') ? 'zh' : 'en') }
  },

  /** For how many days each kind of history is kept, read in `tx`; 0 forever. */
  retention: async (tx: Transaction) =>
    tx
      .selectFrom('settings')
      .select(['keepVersionsDays', 'keepActivitiesDays', 'keepAuditDays'])
      .where('_id', '=', SETTINGS_ID)
      .executeTakeFirstOrThrow(),

  /** Where files are stored, and their number and size, from counters. */
  storage: async (): Promise<StorageState> => {
    const unused = flagCounters('unused')
    const names = ['assetSize', 'assetCount.IMAGE', 'assetCount.VIDEO', 'assetCount.AUDIO', unused.count, unused.size]
    const counts = await countersOf(db, names)
    const [size = 0, images = 0, videos = 0, audio = 0] = names.map((name) => counts[name])
    return {
      kind: variables.S3_BUCKET ? 'bucket' : 'folder',
      place: variables.S3_BUCKET ?? '',
      size,
      images,
      videos,
      audio,
      unused: { count: counts[unused.count] ?? 0, size: counts[unused.size] ?? 0 },
    }
  },

  /** Changes the given settings; with `base`, merges. History only says that the key changed. */
  change: async (
    { general, ai = {}, security, retention }: SettingsInput,
    context: WriteContext,
    base?: number,
  ): Promise<void> => {
    enforce(context.verdict ?? checkPermission(context.actor, 'edit', 'Setting'))
    const { apiKey, hasKey: _, ...model } = ai
    await transaction(async (tx) => {
      const current = (await kept.row(SETTINGS_ID, tx)) ?? notFound('Settings')
      // The address that the caller saw: the key is for that one, even if somebody has changed it since.
      const isStale = base !== undefined && base !== current.version
      const seen = (isStale && (await snapshotAt(tx, SETTINGS_ID, base))) || current
      const host = hostOf(model.baseUrl ?? String(seen.baseUrl))
      const apart = apiKey === undefined ? {} : { apiKey: apiKey && seal(apiKey, host) }
      await kept.updateIn(tx, SETTINGS_ID, { ...general, ...model, ...security, ...retention }, context, base, apart)
    })
  },
}

/**
 * The AI settings, read whenever they are needed, so that a change applies at once. With `trial`, as they would be if
 * those values were saved; empty ones count as not set.
 */
export async function aiSettings(trial: Partial<Pick<AiSettings, 'baseUrl' | 'model' | 'apiKey'>> = {}) {
  const row = await stored()
  const { baseUrl, model } = { baseUrl: row.baseUrl, model: row.model, ...trial }
  const apiKey = trial.apiKey ?? keyIn({ ...row, baseUrl })
  return {
    baseUrl: baseUrl || (variables.AI_BASE_URL ?? ''),
    model: model || (variables.AI_MODEL ?? ''),
    apiKey: apiKey || (keyInVariables(baseUrl, row.baseUrl) ?? ''),
    searchUrl: variables.AI_SEARCH_URL ?? '',
    streamsPerUser: row.streamsPerUser,
    dailyTokensPerUser: row.dailyTokensPerUser,
  } satisfies AiSettings
}

const stored = async (): Promise<Tables['settings']> =>
  (await db.selectFrom('settings').selectAll().where('_id', '=', SETTINGS_ID).executeTakeFirst()) ??
  notFound('Settings')

/** The stored API key, if it was entered for the host it would be sent to: no other host may get it. */
const keyIn = ({ apiKey, baseUrl }: Tables['settings']): string | undefined => unseal(apiKey, hostOf(baseUrl))

/** The environment's API key, for the environment's host or, if it names none, the one in the stored settings. */
function keyInVariables(baseUrl: string, storedUrl: string): string | undefined {
  const { AI_BASE_URL = storedUrl, AI_API_KEY } = variables
  return hostOf(baseUrl) === hostOf(AI_BASE_URL) ? AI_API_KEY : undefined
}

/** Origin (protocol, host and port) of a base URL; of the environment's if it is empty. */
function hostOf(baseUrl: string): string {
  const address = baseUrl || variables.AI_BASE_URL
  return address ? new URL(address).origin : ''
}
