import { createServer } from 'node:net'

/** Throws the error of listening on an address, which is free again afterwards. */
export const requireListenable = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
