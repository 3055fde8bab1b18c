import { DEFAULT_FINDINGS } from '@mokuroku/contract/findings'
import { type Site, DEFAULT_SITE_NAME } from '@mokuroku/contract/site'
import { createStore } from './createStore.ts'

/** The site's settings; loaded at startup (api/site.ts), and again when they are changed here. */
export const site = createStore<Site>({
  name: DEFAULT_SITE_NAME,
  defaultLanguage: 'en',
  languages: ['en', 'zh'],
  findings: [...DEFAULT_FINDINGS],
})

/** The site's name; undefined if it still has the default one. */
export function useSiteName(): string | undefined {
  const { name } = site.use()
  return name === DEFAULT_SITE_NAME ? undefined : name
}

/** The initial data of a new entry, with empty texts in all languages of the site, the default language first. */
export function withSiteLanguages<Texts extends Record<string, string>, Start extends { translations: { en: Texts } }>(
  start: Start,
) {
  const { defaultLanguage, languages } = site.get()
  const tags = new Set([defaultLanguage, ...languages])
  const empty = start.translations.en
  return { ...start, translations: Object.fromEntries([...tags].map((tag) => [tag, { ...empty }])) }
}
