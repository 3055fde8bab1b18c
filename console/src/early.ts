// Prefetches what the first screen needs while the entry is still loading: the build makes this small module a script
// of its own (vite.config.ts). The entry then takes the responses (api/call.ts).
import font from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { authApi } from '@mokuroku/contract/auth'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { siteApi } from '@mokuroku/contract/site'
import { prefetch, hasToken } from '#api/early.ts'
import { withoutBasePath } from '#api/host.ts'

const FONT = { rel: 'preload', as: 'font', crossOrigin: '', href: font }

export const loadDashboard = () => import('./dashboard/Dashboard.tsx')

if (hasToken) {
  prefetch([authApi.verify, siteApi.find])
  if (withoutBasePath(location.pathname) === '/') {
    prefetch([dashboardApi.stats, dashboardApi.work, dashboardApi.recentActivities])
    // If loading fails now, the router tries again.
    void loadDashboard().catch(() => undefined)
  }
  // Preloads the font. Otherwise, only the first text would request it (the splash has none), and then shift.
  document.head.append(Object.assign(document.createElement('link'), FONT))
  // A page's first Intl formatter makes the browser load its locale data; here that delays nothing.
  setTimeout(() => new Intl.NumberFormat())
}
