import type { Rolldown } from 'vite'

type Group = Rolldown.CodeSplittingGroup

const CONSOLE = /[\\/]console[\\/]src[\\/]/
/** Schemas and the library that validates with them; no first screen needs either. */
const SCHEMAS = /\?whole$|node_modules[\\/]zod[\\/]/
/** `early.ts` and everything that it imports. */
const EARLY =
  /console[\\/]src[\\/](early|api[\\/](early|host|browserStorage)|lib[\\/]token)\.ts$|contract[\\/]src[\\/](auth|dashboard|site)\.ts$|vite[\\/]preload-helper|woff2\?url$/
const hasNoSchemas = (id: string) => !SCHEMAS.test(id)

/**
 * Chunk groups. By default, the bundler creates a chunk for each set of screens that share modules: a hundred for a
 * list, which compress worse than a few large ones. A module goes into the first group that matches it.
 */
export const groups: Group[] = [
  { name: 'early', test: EARLY },
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'editor', test: /node_modules[\\/](@codemirror|@lezer|style-mod|w3c-keyname|crelt)/ },
  { name: 'first', tags: ['$initial'], test: hasNoSchemas },
  { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 12 },
  { name: 'queries', test: /node_modules[\\/]@tanstack[\\/]/, minShareCount: 12 },
  { ...sharedOf('sign-in', '/auth/Login.tsx'), minShareCount: 2 },
  { ...sharedOf('kit', '/dashboard/Dashboard.tsx'), minShareCount: 2 },
  { ...sharedOf('later', '/dashboard/TagUsageChart.tsx', '/dashboard/ActivityItems.tsx'), minShareCount: 3 },
  { ...sharedOf('activities', '/dashboard/ActivityItems.tsx'), minShareCount: 2 },
  { ...sharedOf('views', '/parts/views/ViewLinks.tsx'), minShareCount: 2 },
  { ...sharedOf('lists', '/parts/area/ListScreen.tsx'), minShareCount: 2 },
  { ...sharedOf('areas', '/media/area.tsx'), minShareCount: 3 },
].map(
  (group, place, { length }) =>
    ({ includeDependenciesRecursively: false, priority: length - place, ...group }) as Group,
)

/** A chunk for code that `screens` share with others: the console's own modules that they import, even indirectly. */
function sharedOf(debugName: string, ...screens: string[]): Pick<Group, 'name' | 'debugName'> {
  const known = new Map<string, boolean>()
  const isImported = (id: string, context: Rolldown.ChunkingContext): boolean => {
    const before = known.get(id)
    if (before !== undefined) return before
    known.set(id, false)
    const importers = context.getModuleInfo(id)?.importers.filter(hasNoSchemas) ?? []
    const is = screens.some((screen) => id.endsWith(screen)) || importers.some((each) => isImported(each, context))
    known.set(id, is)
    return is
  }
  return {
    debugName,
    name: (id, context) => (CONSOLE.test(id) && isImported(id, context) ? debugName : null),
  }
}
