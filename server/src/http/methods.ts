import type { Route } from '@mokuroku/contract/route'

/** Whether a request only reads. */
export const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD'

/** The methods that OpenTelemetry knows: those of RFC 9110, PATCH and QUERY. */
const KNOWN = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'])

/** The method of a request in metrics and spans: `_OTHER` if OpenTelemetry does not know it. */
export const knownMethod = ({ method }: { method: string }): string => (KNOWN.has(method) ? method : '_OTHER')

/** Returns a function from the path of a request to the methods that the routes at it answer, if any. */
export function allowedMethods(
  routes: readonly Pick<Route, 'path' | 'method'>[],
): (path: string) => string[] | undefined {
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
