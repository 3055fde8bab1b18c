import type { ActivityType, CatalogueAction } from '@mokuroku/contract/dashboard'
import { CATALOGUE } from '@mokuroku/contract/kinds'
import type { Kind, KindNames } from '#lib/areas.ts'

type Verbs = Record<CatalogueAction, (name: string) => string>
type CatalogueActivity = Extract<ActivityType, `${Uppercase<(typeof CATALOGUE)[number]>}_${CatalogueAction}`>

/** What is said of the activities that every kind of the catalogue has, by their types. */
export const catalogueActivities = (kinds: Record<Kind, KindNames>, verbs: Verbs) =>
  Object.fromEntries(
    CATALOGUE.flatMap((kind) =>
      Object.entries(verbs).map(([action, say]) => [`${kind.toUpperCase()}_${action}`, say(kinds[kind].name)]),
    ),
  ) as Record<CatalogueActivity, string>
