import type { Route } from '@mokuroku/contract/route'

/** Whether a request only reads. */
export const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD'

/** Returns a function from the path of a request to the methods that the routes at it answer, if any. */
export function allowedMethods(routes: readonly Route[]): (path: string) => string[] | undefined {
  const resources = [...Map.groupBy(routes, ({ path }) => path)]
    // As in the router, `/api/media/export` is not the media `export`.
    .toSorted(([one], [other]) => parametersOf(one) - parametersOf(other))
    .map(([path, some]) => ({
      matches: new RegExp(`^${path.replaceAll(PARAMETER, '[^/]+')}$`),
      methods: some.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    }))
  return (path) => resources.find(({ matches }) => matches.test(path))?.methods
}

const PARAMETER = /:\w+/g
const parametersOf = (path: string): number => path.match(PARAMETER)?.length ?? 0
