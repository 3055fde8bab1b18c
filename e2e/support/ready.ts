import type { APIRequestContext } from '@playwright/test'

/** The timeout for loading the sample catalogue, in milliseconds. */
export const LOADING_MS = 5 * 60_000

/** Waits until the sample catalogue is loaded completely, so that no test depends on its progress. */
export async function sampleLoaded(request: APIRequestContext, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const isLoaded = async () => {
    const answer = await request.get('/api/activities?type=CATALOGUE_IMPORTED', { headers })
    return ((await answer.json()) as unknown[]).length > 0
  }
  for (const end = Date.now() + LOADING_MS; !(await isLoaded());) {
    if (Date.now() > end) throw new Error('The sample catalogue was not loaded within five minutes')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
