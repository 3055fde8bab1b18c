import { siteApi } from '@mokuroku/contract/site'
import { site } from '#lib/site.ts'
import { call } from './call.ts'

/** Loads the site's name and its languages. If that fails, the current values stay. */
export async function loadSite() {
  try {
    site.set(await call(siteApi.find))
  } catch (error) {
    console.error(error)
  }
}
