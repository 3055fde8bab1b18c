import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import type { REVISED } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { searchApi } from '@mokuroku/contract/search'
import { settingsApi } from '@mokuroku/contract/settings'
import { tagsApi } from '@mokuroku/contract/tags'
import { tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'

const CATALOGUE = [
  mediaApi.list,
  mediaApi.find,
  charactersApi.list,
  charactersApi.find,
  charactersApi.ofMedia,
  charactersApi.media,
  tagsApi.list,
  tagsApi.find,
  searchApi.search,
  dashboardApi.stats,
  dashboardApi.recentActivities,
  dashboardApi.activities,
  historyApi.recent,
  historyApi.statistics,
]

const RATINGS = [ratingsApi.list, ratingsApi.find, ratingsApi.ofMedia]

/** What tells of a thing, or counts it: asked again when it was written from elsewhere than its own screens. */
export const SHOWN_BY: Record<(typeof REVISED)[number], Route[]> = {
  Media: CATALOGUE,
  Character: CATALOGUE,
  Tag: CATALOGUE,
  Asset: [assetsApi.list, assetsApi.find, ...CATALOGUE],
  Rating: [...RATINGS, mediaApi.find, mediaApi.list, dashboardApi.recentActivities],
  Tier: [tiersApi.list, tiersApi.find, usersApi.list, usersApi.find],
  User: [usersApi.list, usersApi.find, tiersApi.list, tiersApi.find, ...RATINGS, searchApi.search],
  Setting: [settingsApi.find],
}
