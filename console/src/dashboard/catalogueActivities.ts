import type { ActivityType, CatalogueAction } from '@mokuroku/contract/dashboard'
import { CATALOGUE } from '@mokuroku/contract/kinds'
import type { Kind, KindNames } from '#lib/areas.ts'

type Verbs = Record<CatalogueAction, (name: string) => string>
type CatalogueActivity = Extract<ActivityType, `${Uppercase<(typeof CATALOGUE)[number]>}_${CatalogueAction}`>

/** The texts of the activities that every kind of the catalogue has, by activity type. */
export const catalogueActivities = (kinds: Record<Kind, KindNames>, verbs: Verbs) =>
  Object.fromEntries(
    CATALOGUE.flatMap((kind) =>
      Object.entries(verbs).map(([action, say]) => [`${kind.toUpperCase()}_${action}`, say(kinds[kind].name)]),
    ),
  ) as Record<CatalogueActivity, string>

type ManyVerbs = Record<CatalogueAction, (count: string, kind: KindNames) => string>

/** As `catalogueActivities`, for groups of several activities. */
export const groupedActivities = (kinds: Record<Kind, KindNames>, verbs: ManyVerbs) =>
  Object.fromEntries(
    CATALOGUE.flatMap((kind) =>
      Object.entries(verbs).map(([action, say]) => [
        `${kind.toUpperCase()}_${action}`,
        (count: number) => say(String(count), kinds[kind]),
      ]),
    ),
  ) as Record<CatalogueActivity, (count: number) => string>
