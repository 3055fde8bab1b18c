import {
  type AnyRoute,
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { kinds } from '@mokuroku/contract/kinds'
import type { Route } from '@mokuroku/contract/route'
import type { ReactNode } from 'react'
import { basePath, withoutBasePath } from '#api/host.ts'
import { q } from '#api/query.ts'
import { queryClient } from '#api/queryClient.ts'
import { returnTo, session } from '#api/session.ts'
import { nextHistoryState } from '#lib/listPlace.ts'
import { loadOnce } from '#lib/loadOnce.ts'
import { parseSearch, stringifySearch } from '#lib/urlState.ts'
import type { Area } from '#parts/area/area.ts'
import { isReachable, NotFetched } from '#ui/code.ts'
import { AREAS, type Kind, KINDS } from '#lib/areas.ts'
import { loadDashboard } from './early.ts'
import { Bell } from './notifications/Bell.tsx'
import { ScreenFailed } from './pages/ScreenFailed.tsx'
import { Shell } from './shell/Shell.tsx'

const signedIn = () => session.get().state === 'in'

const root = createRootRoute({ component: Outlet, errorComponent: ScreenFailed })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    if (signedIn()) throw redirect({ href: returnTo(), replace: true })
  },
  component: lazyScreen(() => import('./auth/Login.tsx'), 'Login'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyScreen(() => import('./auth/ForgotPassword.tsx'), 'ForgotPassword'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyScreen(() => import('./auth/ResetPassword.tsx'), 'ResetPassword'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyScreen(() => import('./auth/ResetPassword.tsx'), 'AcceptInvitation'),
})

/** All other screens: they require sign-in, and are shown inside the sidebar and top bar. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: () => {
    if (!signedIn()) throw redirect({ to: '/login', replace: true })
  },
  component: () => <Shell Bell={Bell} />,
})

/** The areas of the kinds, each a chunk of its own: `<plural>/area.tsx`. */
const AREA_MODULES: Record<string, LoadArea | undefined> = import.meta.glob<{ area: Area }>('./*/area.tsx')

const screens = [
  screen('/', loadDashboard, 'Dashboard'),
  screen('/drafts', () => import('./dashboard/Drafts.tsx'), 'Drafts'),
  screen('/activities', () => import('./dashboard/Activities.tsx'), 'Activities'),
  screen('/media/compare', () => import('./media/compare/MediaCompare.tsx'), 'MediaCompare'),
  screen('/media/standardize', () => import('./media/standardize/MediaStandardize.tsx'), 'MediaStandardize'),
  ...KINDS.filter((kind) => AREAS[kind].hasEditor).flatMap(screensOf),
  screen('/assets', () => import('./assets/AssetList.tsx'), 'AssetList'),
  entity('/assets/$id', async () => (await import('./assets/AssetDetail.tsx')).AssetDetail),
  screen('/translations', () => import('./translations/TranslationHistory.tsx'), 'TranslationHistory'),
  screen('/work', work, 'Work'),
  screen('/batches', () => import('./batches/Batches.tsx'), 'Batches'),
  entity('/batches/$id', async () => (await import('./batches/BatchDetail.tsx')).BatchDetail),
  screen('/import', () => import('./import/Imports.tsx'), 'Imports'),
  entity('/import/$id', async () => (await import('./import/ImportDetail.tsx')).ImportDetail),
  screen('/trash', () => import('./trash/Trash.tsx'), 'Trash'),
  screen('/ratings', () => import('./ratings/RatingList.tsx'), 'RatingList'),
  entity('/ratings/$id', async () => (await import('./ratings/RatingDetail.tsx')).RatingDetail),
  screen('/settings', () => import('./settings/Settings.tsx'), 'Settings'),
  screen('/settings/history', () => import('./settings/SettingsHistory.tsx'), 'SettingsHistory'),
  screen('/audit', () => import('./audit/AuditLog.tsx'), 'AuditLog'),
  screen('/profile', () => import('./profile/Profile.tsx'), 'Profile'),
  screen('$', () => import('./pages/NotFound.tsx'), 'NotFound'),
]

export const router = createRouter({
  routeTree: root.addChildren([login, forgotPassword, resetPassword, invitation, shell.addChildren(screens)]),
  history: browserHistory(),
  ...(basePath && { basepath: basePath }),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

/** Browser history whose entries remember the list from which they were opened. */
function browserHistory() {
  const history = createBrowserHistory()
  const { push, replace } = history
  const stateFor = (to: string) => {
    const { pathname, search, state } = history.location
    return nextHistoryState({ pathname: withoutBasePath(pathname), search, state }, withoutBasePath(to), scrollY)
  }
  history.push = (to, state, options) => push(to, { ...stateFor(to), ...state }, options)
  history.replace = (to, state, options) => replace(to, { ...stateFor(to), ...state }, options)
  return history
}

/** Preloads the code of the current screen, without checking access, and the data of the dashboard. */
export function preloadHere() {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[routeId]
    if (route) void router.loadRouteChunk(route)
  }
  if (withoutBasePath(router.history.location.pathname) !== '/') return
  // On failure, the dashboard fetches the data again and shows the error.
  for (const route of [dashboardApi.stats, dashboardApi.work, dashboardApi.recentActivities])
    void queryClient.prefetchQuery({ ...q<Route>(route), meta: { quiet: true } })
}

/**
 * A component in a chunk of its own. If a chunk is missing, as after an upgrade, the router reloads the page once; while
 * the server cannot be reached, that would show the browser's error page. The router does not recognize the error of a
 * missing style sheet: Vite throws it only the first time, so a second attempt arrives, or fails for the code itself.
 */
function lazyScreen<Name extends string, Props>(
  load: () => Promise<Record<Name, (props: Props) => ReactNode>>,
  name: Name,
) {
  const fetched = () =>
    load()
      .catch(load)
      .catch(async (cause: unknown) => {
        throw (await isReachable()) ? cause : new NotFetched(cause)
      })
  return lazyRouteComponent(fetched, name)
}

/** A screen in a chunk of its own: `screen('/trash', () => import('./trash/Trash.tsx'), 'Trash')`. */
function screen<Name extends string>(path: string, load: () => Promise<Record<Name, () => ReactNode>>, name: Name) {
  return createRoute({ getParentRoute: () => shell, path, component: lazyScreen(load, name) })
}

/** A screen of one entity, whose id is in the path. */
function entity(path: `${string}/$id${string}`, load: () => Promise<(props: { id: string }) => ReactNode>) {
  const route: { useParams(): { id: string } } & AnyRoute = createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyScreen(async () => {
      const Screen = await load()
      return { Screen: () => <Screen id={route.useParams().id} /> }
    }, 'Screen'),
  })
  return route
}

type LoadArea = () => Promise<{ area: Area }>

/** The desk, which works for all kinds with texts. */
async function work() {
  const { Work } = await import('./work/Work.tsx')
  return { Work: () => <Work areaOf={areaOf} /> }
}

const areaOf = loadOnce(async (kind: Kind) => (await loadOf(kind)()).area)

/** The function that loads a kind's area. */
function loadOf(kind: Kind): LoadArea {
  const load = AREA_MODULES[`./${kinds[kind].plural}/area.tsx`]
  if (!load) throw new Error(`There is no ${kinds[kind].plural}/area.tsx`)
  return load
}

/** The screens of a kind: list, new, editor, and detail or history. */
function screensOf(kind: Kind) {
  const { path, opens } = AREAS[kind]
  const load = loadOf(kind)
  const list = async () => {
    const [{ area }, { ListScreen }] = await Promise.all([load(), import('#parts/area/ListScreen.tsx')])
    return { List: () => <ListScreen area={area} areaOf={areaOf} /> }
  }
  return [
    screen(path, list, 'List'),
    ...editors(path, load),
    opens === 'detail' ? detailScreen(kind, path, load) : historyScreen(path, load),
  ]
}

function editors(path: string, load: LoadArea) {
  const make = async () => {
    const [{ area }, { EntityNew }] = await Promise.all([load(), import('#parts/area/EntityNew.tsx')])
    return { New: () => <EntityNew area={area} areaOf={areaOf} /> }
  }
  const edit = async () => {
    const [{ area }, { EntityEdit }] = await Promise.all([load(), import('#parts/area/EntityEdit.tsx')])
    return ({ id }: { id: string }) => <EntityEdit area={area} areaOf={areaOf} id={id} />
  }
  return [screen(`${path}/new`, make, 'New'), entity(`${path}/$id/edit`, edit)]
}

function detailScreen(kind: Kind, path: string, load: LoadArea) {
  return entity(`${path}/$id`, async () => {
    const [{ area }, { EntityDetail }] = await Promise.all([load(), import('#parts/area/EntityDetail.tsx')])
    const parts = await area.detail?.()
    if (!parts) throw new Error(`The area of ${kind} has no detail`)
    return ({ id }) => <EntityDetail area={area} detail={parts} id={id} />
  })
}

function historyScreen(path: string, load: LoadArea) {
  return entity(`${path}/$id/history`, async () => {
    const [{ area }, { EntityHistory }] = await Promise.all([load(), import('#parts/area/EntityHistory.tsx')])
    return ({ id }) => <EntityHistory area={area} id={id} />
  })
}
