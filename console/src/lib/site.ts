import { DEFAULT_FINDINGS } from '@mokuroku/contract/findings'
import { type Site, DEFAULT_SITE_NAME } from '@mokuroku/contract/site'
import { createStore } from './createStore.ts'

/** What is known of the site; read once at the start (api/site.ts), and again when it is changed here. */
export const site = createStore<Site>({
  name: DEFAULT_SITE_NAME,
  defaultLanguage: 'en',
  languages: ['en', 'zh'],
  findings: [...DEFAULT_FINDINGS],
})

/** The name that somebody gave the site; undefined where nobody did. */
export function useSiteName(): string | undefined {
  const { name } = site.use()
  return name === DEFAULT_SITE_NAME ? undefined : name
}

/** What a new entry starts from, with the languages that the site offers, the default one first. */
export function withSiteLanguages<Texts extends Record<string, string>, Start extends { translations: { en: Texts } }>(
  start: Start,
) {
  const { defaultLanguage, languages } = site.get()
  const tags = new Set([defaultLanguage, ...languages])
  const empty = start.translations.en
  return { ...start, translations: Object.fromEntries([...tags].map((tag) => [tag, { ...empty }])) }
}
