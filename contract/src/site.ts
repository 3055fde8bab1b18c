import * as z from 'zod/mini'
import { FINDING_CODES } from './findings.ts'
import { get } from './route.ts'

/** What a site is called that nobody has given a name: the console then says no more than what it is. */
export const DEFAULT_SITE_NAME = 'Mokuroku'

/** What anybody may know of the site, before a sign-in too. */
export const Site = z.object({
  name: z.string(),
  /** One of `languages`. */
  defaultLanguage: z.string(),
  /** What new entries begin with. */
  languages: z.array(z.string()),
  /** The checks that are on. */
  findings: z.array(z.enum(FINDING_CODES)),
})
export type Site = z.output<typeof Site>

export const siteApi = { find: get('/api/site', { response: Site, access: 'public' }) }
