// Fakes of AniList and Kitsu on loopback, which can also be unreachable.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Catalogues = Awaited<ReturnType<typeof catalogues>>

/** Starts the fakes. They are unreachable until a test sets what AniList returns. */
export async function catalogues() {
  let known: object[] | undefined
  const server = createServer((request, response) => {
    if (!known) return void response.destroy()
    const answer = request.url === '/anilist' ? { data: { Page: { media: known } } } : { data: [] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the works that AniList returns; undefined: both services are unreachable. */
    anilistKnows: (media: object[] | undefined) => void (known = media),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
