import { type FullConfig, request } from '@playwright/test'

/** Waits until the sample catalogue is all there, so that no test depends on how far it is. */
export default async function ready({ projects }: FullConfig): Promise<void> {
  const server = await request.newContext({ baseURL: projects[0]?.use.baseURL ?? '' })
  const data = { email: 'admin@example.org', password: 'correct horse battery' }
  const { token } = (await (await server.post('/api/auth/login', { data })).json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const isLoaded = async () => {
    const answer = await server.get('/api/activities?type=CATALOGUE_IMPORTED', { headers })
    return ((await answer.json()) as unknown[]).length > 0
  }
  for (const end = Date.now() + 5 * 60_000; !(await isLoaded());) {
    if (Date.now() > end) throw new Error('The sample catalogue was not loaded within five minutes')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await server.dispose()
}
