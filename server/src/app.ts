import { existsSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import cors from '@fastify/cors'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isReachable } from '#database/db.ts'
import '#database/lockMeter.ts'
import { AnswerCache } from '#http/answerCache.ts'
import { basePathOf, pageUnder } from '#http/basePath.ts'
import { isLeaving } from '#http/closing.ts'
import { bytesOf, type Text, varyByEncoding } from '#http/compress.ts'
import { isRead } from '#http/methods.ts'
import { mount } from '#http/mount.ts'
import type { Endpoint } from '#http/serve.ts'
import { httpServer, isApi, type ServerOptions } from '#http/server.ts'
import { lazy } from './lib/lazy.ts'
import { runInBackground, backgroundDone, logFailure, setBackgroundLog } from './lib/background.ts'
import { findActor } from '#access/session.ts'
import { startWorker } from '#jobs/worker.ts'
import { closeSandbox } from '#sandbox/sandbox.ts'
import { foldShards } from '#ledger/counters.ts'
import { saveWriteCounts } from '#ledger/writeLimit.ts'
import { setImageStore } from './ai/create.ts'
import { previewFor } from './ai/previews.ts'
import { aiRoutes, suggestionRoutes } from './ai/routes.ts'
import { assetRoutes } from './assets/routes.ts'
import { addFetchedImage } from './assets/addFetchedImage.ts'
import { servedFile } from './assets/files.ts'
import './assets/processing.ts'
import { uploadSessions } from './assets/uploadSessions.ts'
import type { Bucket } from './assets/fileStore.ts'
import { openStorage, storage } from './assets/storage.ts'
import { sweep } from './assets/sweep.ts'
import { recordDeniedCall } from './audit/deniedCalls.ts'
import { auditRoutes } from './audit/routes.ts'
import { flushWindows } from './audit/coalesce.ts'
import { authRoutes } from './auth/routes.ts'
import { batchRoutes } from './batches/routes.ts'
import { characterRoutes } from './characters/routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { findingRoutes } from './findings/routes.ts'
import { viewRoutes } from './views/routes.ts'
import { historyRoutes } from './history/routes.ts'
import './kinds.ts'
import { importRoutes } from './imports/routes.ts'
import { languageRoutes } from './languages/routes.ts'
import { mediaRoutes } from './media/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { ratingRoutes } from './ratings/routes.ts'
import { revisionRoutes } from './revisions/routes.ts'
import { indexRoutes } from './search/indexRoutes.ts'
import { searchRoutes } from './search/routes.ts'
import { jobRoutes } from './settings/jobRoutes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { tierRoutes } from './tiers/routes.ts'
import { trashRoutes } from './trash/routes.ts'
import { userRoutes } from './users/routes.ts'
import { workRoutes } from './work/routes.ts'
import { ownVersion } from './settings/about.ts'

/** All endpoints of the API, one line per area. */
export const endpoints: Endpoint[] = [
  ...authRoutes,
  ...dashboardRoutes,
  ...searchRoutes,
  ...indexRoutes,
  ...findingRoutes,
  ...commentRoutes,
  ...invitationRoutes,
  ...viewRoutes,
  ...workRoutes,
  ...languageRoutes,
  ...mediaRoutes,
  ...characterRoutes,
  ...tagRoutes,
  ...assetRoutes,
  ...ratingRoutes,
  ...historyRoutes,
  ...revisionRoutes,
  ...userRoutes,
  ...notificationRoutes,
  ...tierRoutes,
  ...trashRoutes,
  ...batchRoutes,
  ...importRoutes,
  ...settingsRoutes,
  ...jobRoutes,
  ...auditRoutes,
  ...aiRoutes,
  ...suggestionRoutes,
]

/** How long a shutdown waits for background work to end, in milliseconds, and again after its sandbox is closed. */
const STOP_TIMEOUT_MS = 5000

interface Options extends ServerOptions {
  /** The other origin that serves the console, if there is one: only that origin may call. */
  consoleOrigin?: string | undefined
  /** The folder where assets are stored, or received before they are stored in the bucket. */
  files: string
  bucket?: Bucket | undefined
  /** The built console; undefined to serve only the API. */
  console?: string
  /** The maximum size of the response cache, in megabytes. */
  answerCacheMb?: number
}

/** The complete server, ready to listen or to be called in process. The database must be open. */
export async function createApp({
  files,
  bucket,
  console,
  consoleOrigin,
  answerCacheMb,
  ...serving
}: Options): Promise<FastifyInstance> {
  const { publicUrl, logger } = serving
  const app = httpServer(serving, endpoints)
  setBackgroundLog(logger)
  app.addHook('onClose', () => {
    flushWindows()
    runInBackground('saving write counts', saveWriteCounts)
    runInBackground('adding up counters', foldShards)
    return backgroundDone()
  })
  if (consoleOrigin) await allowOrigin(app, consoleOrigin)
  mount(app, endpoints, findActor, { refused: recordDeniedCall, cache: new AnswerCache(answerCacheMb) })
  describe(app, publicUrl)
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const fault = isLeaving() ? 'stopping' : (await isReachable()) ? undefined : 'database unreachable'
    return fault ? reply.code(503).send({ status: fault }) : { status: 'ok' }
  })
  app.addHook('onRequest', heedIfNoneMatch)
  await keepAssets(app, files, bucket)
  setImageStore(addFetchedImage)
  const stopWorker = startWorker({ failed: (error, kind = 'background work') => logFailure(kind)(error) })
  app.addHook('onClose', async () => {
    const stopped = stopWorker()
    const soon = () => Promise.race([stopped, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    await soon()
    await closeSandbox()
    // The next start continues unfinished work.
    await soon()
  })
  app.get<{ Querystring: Record<string, unknown> }>('/files/outside', async ({ query }, reply) => {
    const preview = await previewFor(query)
    if (!preview) return notFound(reply)
    return reply.type('image/webp').header('cache-control', 'private, max-age=3600').send(preview)
  })
  if (console && existsSync(join(console, 'index.html'))) await serveConsole(app, console, basePathOf(publicUrl))
  else app.setNotFoundHandler((_, reply) => notFound(reply))
  return app
}

/** `GET /api/openapi.json`: generated on the first request, since that takes far longer than sending it. */
function describe(app: FastifyInstance, publicUrl: string): void {
  const description = lazy(async () => {
    const { openApi } = await import('#http/openapi.ts')
    const sent: Text = { text: Buffer.from(JSON.stringify(openApi(endpoints, publicUrl, await ownVersion()))) }
    return sent
  })
  app.get('/api/openapi.json', async (request, reply) => {
    const sent = await description()
    varyByEncoding(sent, reply)
    return reply.type('application/json; charset=utf-8').send(await bytesOf(sent, request, reply))
  })
}

/**
 * Allows a console on another origin to call the API and show pictures (CORS). The token is in a header, so no cookies
 * are involved.
 */
async function allowOrigin(app: FastifyInstance, origin: string): Promise<void> {
  await app.register(cors, {
    origin: [origin],
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
    allowedHeaders: [
      'authorization',
      'ai-runs',
      'content-type',
      'drop-links',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      'upload-offset',
      'x-request-id',
    ],
    exposedHeaders: [
      'content-disposition',
      'etag',
      'retry-after',
      'upload-offset',
      'x-request-id',
      'x-search-words',
      'x-total-count',
    ],
    maxAge: 86_400,
  })
  app.addHook('onSend', async (_, reply) => void reply.header('cross-origin-resource-policy', 'cross-origin'))
}

const notFound = (reply: FastifyReply) =>
  reply.code(404).send({ message: reasonText('notFound'), code: 'notFound', requestId: reply.request.id })
const YEAR = 'public, max-age=31536000, immutable'

/**
 * Answers `If-None-Match` for files also with `Cache-Control: no-cache`, as for calls (RFC 9110, 13.1.2), which Node's own
 * fetch adds: the library that sends files would send them again.
 */
function heedIfNoneMatch({ headers, url }: FastifyRequest, _: FastifyReply, done: () => void): void {
  if (headers['if-none-match'] !== undefined && !isApi(url)) delete headers['cache-control']
  done()
}

/** Opens the storage of assets, cleans up after the last run, and serves the files that a client may see. */
async function keepAssets(app: FastifyInstance, files: string, bucket: Bucket | undefined): Promise<void> {
  await openStorage(files, bucket)
  await app.register(fastifyStatic, { root: files, serve: false })
  await sweep(uploadSessions.isActive)
  app.get<{ Params: { key: string }; Querystring: Record<string, unknown> }>(
    '/files/:key',
    async ({ params, query, headers, method }, reply) => {
      const served = await servedFile(params.key, query)
      if (!served) return notFound(reply)
      if (storage.pathOf) {
        const file = storage.pathOf(served.key)
        const isThere = await access(file).then(
          () => true,
          () => false,
        )
        if (!isThere) {
          // If the whole folder is unavailable, this throws (503), instead of responding that the file does not exist.
          await access(files)
          return notFound(reply)
        }
        const options = { cacheControl: false, contentType: false }
        return reply.headers(served.headers).sendFile(basename(file), dirname(file), options)
      }
      const wanted = { range: headers.range, ifNoneMatch: headers['if-none-match'], headOnly: method === 'HEAD' }
      const opened = await storage.open?.(served.key, wanted)
      if (!opened) return notFound(reply)
      // As the library for files in a folder does.
      if (opened.status === 416)
        throw Object.assign(new Error('Range not satisfiable'), {
          statusCode: 416,
          headers: { 'Content-Range': opened.headers['content-range'] },
        })
      return reply
        .code(opened.status)
        .headers({ ...served.headers, ...opened.headers })
        .send(opened.stream)
    },
  )
}

/** Paths of files and not of screens: built files have an extension, ids of assets have none. */
const FILE = /^\/(files\/|assets\/[^?]*\.)/
/** Whether a path has an extension, such as /favicon.ico: no screen has one. */
const hasExtension = (url: string): boolean => extname(url.split('?', 1)[0] ?? '') !== ''

/** Serves the console: its files, as built and compressed, and index.html for every other path. */
async function serveConsole(app: FastifyInstance, root: string, basePath: string): Promise<void> {
  const own = basePath && pageUnder(await readFile(join(root, 'index.html'), 'utf8'), basePath)
  await app.register(fastifyStatic, {
    root,
    prefix: '/',
    decorateReply: false,
    preCompressed: true,
    ...(own && { index: false, globIgnore: ['index.html*'] }),
    cacheControl: false,
    setHeaders: (reply, file) => {
      reply.header('cache-control', file.includes('/assets/') ? YEAR : 'no-cache')
      reply.header('vary', 'accept-encoding')
    },
  })
  const page = (reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache')
    return own
      ? reply.type('text/html; charset=utf-8').send(own)
      : reply.sendFile('index.html', root, { cacheControl: false })
  }
  if (own) for (const url of ['/', '/index.html']) app.get(url, (_, reply) => page(reply))
  // The path of a screen is also that of the folder of built files.
  for (const url of ['/assets', '/assets/']) app.get(url, (_, reply) => page(reply))
  app.setNotFoundHandler((request, reply) => {
    const isPage = isRead(request) && !isApi(request.url) && !FILE.test(request.url)
    if (!isPage) return notFound(reply)
    return page(hasExtension(request.url) ? reply.code(404) : reply)
  })
}
