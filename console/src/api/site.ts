import { siteApi } from '@mokuroku/contract/site'
import { site } from '#lib/site.ts'
import { call } from './call.ts'

/** Reads what the site is called and which languages it offers. Without an answer it stays as it was. */
export async function loadSite() {
  try {
    site.set(await call(siteApi.find))
  } catch (error) {
    console.error(error)
  }
}
