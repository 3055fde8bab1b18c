import * as z from 'zod/mini'
import { FINDING_CODES } from './findings.ts'
import { get } from './route.ts'

/** The default name of the site, which the console does not display. */
export const DEFAULT_SITE_NAME = 'Mokuroku'

/** The public settings of the site, readable without signing in. */
export const Site = z.object({
  name: z.string(),
  /** One of `languages`. */
  defaultLanguage: z.string(),
  /** The wanted languages; new entries start with them. */
  languages: z.array(z.string()),
  /** The enabled checks. */
  findings: z.array(z.enum(FINDING_CODES)),
})
export type Site = z.output<typeof Site>

export const siteApi = { find: get('/api/site', { response: Site, access: 'public' }) }
