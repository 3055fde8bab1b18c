import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { lazy } from 'react'
import { returnTo, session } from '#api/session.ts'
import { keptPlace } from '#lib/listPlace.ts'
import { parseSearch, stringifySearch } from '#lib/urlState.ts'
import { NotFound } from './pages/NotFound.tsx'
import { ScreenFailed } from './pages/ScreenFailed.tsx'
import { Shell } from './shell/Shell.tsx'

const signedIn = () => session.get().state === 'in'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: ScreenFailed })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    if (signedIn()) throw redirect({ href: returnTo(), replace: true })
  },
  component: lazyRouteComponent(() => import('./auth/Login.tsx'), 'Login'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./auth/ForgotPassword.tsx'), 'ForgotPassword'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./auth/ResetPassword.tsx'), 'ResetPassword'),
})

const Bell = lazy(async () => ({ default: (await import('./notifications/Bell.tsx')).Bell }))

/** Everything else: behind the sign-in, inside the sidebar and top bar. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: () => {
    if (!signedIn()) throw redirect({ to: '/login', replace: true })
  },
  component: () => <Shell Bell={Bell} />,
})

const screens = [
  screen('/', () => import('./dashboard/Dashboard.tsx'), 'Dashboard'),
  screen('/activities', () => import('./dashboard/Activities.tsx'), 'Activities'),
  screen('/media', () => import('./media/MediaList.tsx'), 'MediaList'),
  screen('/media/new', () => import('./media/MediaNew.tsx'), 'MediaNew'),
  screen('/media/compare', () => import('./media/compare/MediaCompare.tsx'), 'MediaCompare'),
  screen('/media/standardize', () => import('./media/standardize/MediaStandardize.tsx'), 'MediaStandardize'),
  screen('/media/$id/edit', () => import('./media/MediaEdit.tsx'), 'MediaEdit'),
  screen('/media/$id', () => import('./media/MediaDetail.tsx'), 'MediaDetail'),
  screen('/characters', () => import('./characters/CharacterList.tsx'), 'CharacterList'),
  screen('/characters/new', () => import('./characters/CharacterNew.tsx'), 'CharacterNew'),
  screen('/characters/$id/edit', () => import('./characters/CharacterEdit.tsx'), 'CharacterEdit'),
  screen('/characters/$id', () => import('./characters/CharacterDetail.tsx'), 'CharacterDetail'),
  screen('/tags', () => import('./tags/TagList.tsx'), 'TagList'),
  screen('/tags/new', () => import('./tags/TagNew.tsx'), 'TagNew'),
  screen('/tags/$id/edit', () => import('./tags/TagEdit.tsx'), 'TagEdit'),
  screen('/tags/$id/history', () => import('./tags/TagHistory.tsx'), 'TagHistory'),
  screen('/assets', () => import('./assets/AssetList.tsx'), 'AssetList'),
  screen('/assets/$id', () => import('./assets/AssetDetail.tsx'), 'AssetDetail'),
  screen('/translations', () => import('./translations/TranslationHistory.tsx'), 'TranslationHistory'),
  screen('/trash', () => import('./trash/Trash.tsx'), 'Trash'),
  screen('/ratings', () => import('./ratings/RatingList.tsx'), 'RatingList'),
  screen('/ratings/$id', () => import('./ratings/RatingDetail.tsx'), 'RatingDetail'),
  screen('/score-permissions', () => import('./tiers/TierList.tsx'), 'TierList'),
  screen('/score-permissions/new', () => import('./tiers/TierNew.tsx'), 'TierNew'),
  screen('/score-permissions/$id/edit', () => import('./tiers/TierEdit.tsx'), 'TierEdit'),
  screen('/score-permissions/$id/history', () => import('./tiers/TierHistory.tsx'), 'TierHistory'),
  screen('/users', () => import('./users/UserList.tsx'), 'UserList'),
  screen('/users/new', () => import('./users/UserNew.tsx'), 'UserNew'),
  screen('/users/$id/edit', () => import('./users/UserEdit.tsx'), 'UserEdit'),
  screen('/users/$id/history', () => import('./users/UserHistory.tsx'), 'UserHistory'),
  screen('/settings', () => import('./settings/Settings.tsx'), 'Settings'),
  screen('/settings/history', () => import('./settings/SettingsHistory.tsx'), 'SettingsHistory'),
  screen('/audit', () => import('./audit/AuditLog.tsx'), 'AuditLog'),
  screen('/profile', () => import('./profile/Profile.tsx'), 'Profile'),
]

const nowhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound })

export const router = createRouter({
  routeTree: root.addChildren([login, forgotPassword, resetPassword, shell.addChildren([...screens, nowhere])]),
  history: browserHistory(),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

/** The browser's history, whose entries know the list that they were opened from. */
function browserHistory() {
  const history = createBrowserHistory()
  const { push, replace } = history
  const kept = (to: string) => keptPlace(history.location, to, scrollY)
  history.push = (to, state, options) => push(to, { ...kept(to), ...state }, options)
  history.replace = (to, state, options) => replace(to, { ...kept(to), ...state }, options)
  return history
}

/** Fetches the code of the screen at this address, without asking whether it may be shown. */
export function preloadHere() {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
  }
}

/** A screen is a chunk of its own: `screen('/media', () => import('./media/MediaList.tsx'), 'MediaList')`. */
function screen<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(load, name) })
}
