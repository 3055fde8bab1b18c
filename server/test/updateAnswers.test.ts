// The answer to an update is what is stored, although it is not read again.
import { mediaApi, type MediaInput } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import { expect, test } from 'vitest'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput, titled } from '#test/factories.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'

withApp()

test.each(MANY_KINDS)('%s: the answer to an update is what is stored', async (kind) => {
  const { api, create, body, texts = {} } = KIND_SAMPLES[kind]
  const { call, actor } = await signedIn()
  const id = await create({ actor })
  const ask = call as (route: Route, request: object) => Promise<object>
  for (const given of [body(), { ...body(), ...texts }]) {
    const answer = await ask(api.update, { id, body: given })
    expect(answer).toEqual(await ask(api.find, { id }))
    expect(await ask(api.update, { id, body: given })).toEqual(answer)
  }
})

test('so it is when fields are set and cleared, links change, and others have saved meanwhile', async () => {
  const { call } = await signedIn()
  const [tag, character, related] = [await aTag(), await aCharacter(), (await aMedia())._id]
  const { _id: id } = await aMedia({ originalTitle: '原題', episodes: 3 })
  const changes: Partial<Record<keyof MediaInput, unknown>>[] = [
    { originalTitle: null, episodes: null },
    { tags: [tag], characters: [character], relatedMedia: [related], aliases: ['One', '二'] },
    { tags: [], characters: [], relatedMedia: [], aliases: null },
    { translations: { ...titled('銀河', 'ja'), ...titled('\u{1f600} \u05d0', 'en') } },
    { releaseDate: '1999-12-31T00:00:00.000Z', isOngoing: true },
  ]
  for (const change of changes) {
    const answer = await call(mediaApi.update, { id, body: { ...mediaInput(), ...change } as MediaInput })
    expect(answer).toEqual(await call(mediaApi.find, { id }))
  }
  const { version } = await call(mediaApi.find, { id })
  const base = { ...mediaInput(), releaseDate: '1999-12-31T00:00:00.000Z', isOngoing: true }
  await call(mediaApi.update, { id, base: version, body: { ...base, tags: [tag] } })
  const merged = await call(mediaApi.update, { id, base: version, body: { ...base, episodes: 7 } })
  expect(merged).toMatchObject({ episodes: 7, tags: [{ _id: tag }], version: version + 2 })
  expect(merged).toEqual(await call(mediaApi.find, { id }))
})
