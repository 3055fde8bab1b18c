import {
  newSettings,
  SettingFields,
  SETTINGS_ID,
  type Settings,
  type SettingsInput,
  type StorageState,
} from '@mokuroku/contract/settings'
import type { Site } from '@mokuroku/contract/site'
import { fieldError } from '@mokuroku/contract/faults'
import { countersOf } from '#ledger/counters.ts'
import { db, oneAtATime, transaction, type Transaction } from '#database/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { By } from '#ledger/definition.ts'
import { ledger } from '#ledger/ledger.ts'
import { mailState } from '#mail/send.ts'
import { enforce, may, SYSTEM } from '#access/permissions.ts'
import { seal, unseal } from '#access/seal.ts'
import type { Tables } from '#database/tables.ts'

/** What the server's environment says; the settings override what it says of AI. */
export interface Variables {
  AI_BASE_URL?: string | undefined
  AI_API_KEY?: string | undefined
  AI_MODEL?: string | undefined
  AI_SEARCH_URL?: string | undefined
  S3_BUCKET?: string | undefined
}
let variables: Variables = {}

/** What holds for AI: the settings, and where they say nothing the environment. '' stands for what nobody has said. */
export interface AiSettings {
  /** Of an OpenAI-compatible endpoint, without a slash at its end. */
  baseUrl: string
  model: string
  /** Kept for the host of `baseUrl`. Some endpoints need none. */
  apiKey: string
  /** Of an external AI search service. */
  searchUrl: string
  streamsPerUser: number
  /** 0 for no limit. */
  dailyTokensPerUser: number
}

/** Whoever takes over a session must neither send what is asked of AI elsewhere nor have what they did deleted. */
const SENSITIVE = new Set(['apiKey', 'keepVersionsDays', 'keepActivitiesDays', 'keepAuditDays'])

const kept = ledger<SettingFields>({
  kind: 'Setting',
  fields: Object.keys(SettingFields.shape),
  empty: newSettings(),
  title: () => 'Settings',
  activity: () => undefined,
  // What is write only; it is sealed anew each time, and so always a change.
  reauthentication: ({ paths }) => (paths.some((path) => SENSITIVE.has(path)) ? 'recent' : undefined),
  check: async (_tx, _id, _before, after) => {
    if (after && !after.languages.includes(after.defaultLanguage))
      invalid([fieldError('general.defaultLanguage', 'languageOther')])
  },
})

export const settings = {
  ...kept,

  /** Takes what the environment says, and makes the settings where there are none yet. */
  open: async (given: Variables): Promise<void> => {
    variables = given
    await transaction(async (tx) => {
      await oneAtATime(tx, 'settings')
      if (!(await kept.row(SETTINGS_ID, tx)))
        await kept.createIn(tx, SETTINGS_ID, {}, { actor: SYSTEM, origin: 'system' })
    })
  },

  /** As they may be shown: whether there is a key, not the key. */
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

  /** What anybody may know. */
  site: async (): Promise<Site> => {
    const { siteName: name, defaultLanguage, languages, findings } = await stored()
    return { name, defaultLanguage, languages, findings }
  },

  /** For how many days each is kept, as a part of `tx`; 0 for ever. */
  retention: async (tx: Transaction) =>
    tx
      .selectFrom('settings')
      .select(['keepVersionsDays', 'keepActivitiesDays', 'keepAuditDays'])
      .where('_id', '=', SETTINGS_ID)
      .executeTakeFirstOrThrow(),

  /** Where files are and how much of them, from counters. */
  storage: async (unused: StorageState['unused']): Promise<StorageState> => {
    const names = ['assetSize', 'assetCount.IMAGE', 'assetCount.VIDEO', 'assetCount.AUDIO']
    const [size = 0, images = 0, videos = 0, audio = 0] = Object.values(await countersOf(db, names))
    return {
      kind: variables.S3_BUCKET ? 'bucket' : 'folder',
      place: variables.S3_BUCKET ?? '',
      size,
      images,
      videos,
      audio,
      unused,
    }
  },

  /** Changes what is named, and with `base` merges. History says that the key changed, and no more. */
  change: async ({ general, ai = {}, security, retention }: SettingsInput, by: By, base?: number): Promise<void> => {
    enforce(by.verdict ?? may(by.actor, 'edit', 'Setting'))
    const { apiKey, hasKey: _, ...model } = ai
    await transaction(async (tx) => {
      const current = (await kept.row(SETTINGS_ID, tx)) ?? notFound('Settings')
      const host = hostOf(model.baseUrl ?? current.baseUrl)
      const apart = apiKey === undefined ? {} : { apiKey: apiKey && seal(apiKey, host) }
      await kept.updateIn(tx, SETTINGS_ID, { ...general, ...model, ...security, ...retention }, by, base, apart)
    })
  },
}

/**
 * Read each time that it is needed: a change holds from the next call on. With `trial`, as they would be if that were
 * saved; what is empty there is not set.
 */
export async function aiSettings(trial: Partial<Pick<AiSettings, 'baseUrl' | 'model' | 'apiKey'>> = {}) {
  const row = await stored()
  const { baseUrl, model } = { baseUrl: row.baseUrl, model: row.model, ...trial }
  const apiKey = trial.apiKey ?? keyIn({ ...row, baseUrl })
  return {
    baseUrl: baseUrl || (variables.AI_BASE_URL ?? ''),
    model: model || (variables.AI_MODEL ?? ''),
    apiKey: apiKey || (keyInVariables(baseUrl) ?? ''),
    searchUrl: variables.AI_SEARCH_URL ?? '',
    streamsPerUser: row.streamsPerUser,
    dailyTokensPerUser: row.dailyTokensPerUser,
  } satisfies AiSettings
}

const stored = async (): Promise<Tables['settings']> =>
  (await db.selectFrom('settings').selectAll().where('_id', '=', SETTINGS_ID).executeTakeFirst()) ??
  notFound('Settings')

/** The key that is kept, where it was given for the host that it would be sent to: no other host may get it. */
const keyIn = ({ apiKey, baseUrl }: Tables['settings']): string | undefined => unseal(apiKey, hostOf(baseUrl))

/** The environment's key goes to the environment's host, or where the environment names none. */
function keyInVariables(baseUrl: string): string | undefined {
  const { AI_BASE_URL, AI_API_KEY } = variables
  return AI_BASE_URL === undefined || hostOf(baseUrl) === hostOf(AI_BASE_URL) ? AI_API_KEY : undefined
}

/** Protocol, host and port of the base address that holds where the settings say this. */
function hostOf(baseUrl: string): string {
  const address = baseUrl || variables.AI_BASE_URL
  return address ? new URL(address).origin : ''
}
