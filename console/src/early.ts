// What the first screen waits for is asked for while the entry is still on its way: the build gives this module, which is
// small, a script of its own (vite.config.ts). The entry then takes the answers (api/call.ts).
import font from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { authApi } from '@mokuroku/contract/auth'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { siteApi } from '@mokuroku/contract/site'
import { askEarly, hasToken } from '#api/early.ts'
import { withoutBasePath } from '#api/host.ts'

const FONT = { rel: 'preload', as: 'font', crossOrigin: '', href: font }

export const loadDashboard = () => import('./dashboard/Dashboard.tsx')

if (hasToken) {
  askEarly([authApi.verify, siteApi.find])
  if (withoutBasePath(location.pathname) === '/') {
    askEarly([dashboardApi.stats, dashboardApi.work, dashboardApi.recentActivities])
    // What cannot be fetched now, the router asks for again.
    void loadDashboard().catch(() => undefined)
  }
  // Otherwise the first text would ask for it, and move when it comes: there is no splash before it that does.
  document.head.append(Object.assign(document.createElement('link'), FONT))
  // The first formatter of a page has the browser find out which locales there are; here that delays nothing.
  setTimeout(() => new Intl.NumberFormat())
}
