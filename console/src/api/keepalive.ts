import type { Body, Route } from '@mokuroku/contract/route'
import { bearer } from './call.ts'
import { apiHost } from './host.ts'

/**
 * Sends a call while the page is being closed (`keepalive`): the response is ignored, and delivery is not guaranteed.
 */
export function sendKeepalive<R extends Route>(route: R, body: Body<R>): void {
  const headers = { ...bearer(), 'content-type': 'application/json' }
  const request = { method: route.method, headers, body: JSON.stringify(body), keepalive: true }
  void fetch(apiHost + route.path, request).catch(() => undefined)
}
