import { aiApi } from '@mokuroku/contract/ai'
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { SETTINGS_ID, settingsApi } from '@mokuroku/contract/settings'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'

import { characters } from '#store/characters'
import { settings } from '#store/settings'
import { signedIn, withApp } from '#test/app.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'
import { aCharacter, aMedia, aTier, mediaInput } from '#test/factories.ts'
import { aVideo } from '#test/files.ts'
import { ask } from './rawClient.ts'
import { type Given, PIXEL } from './calls.ts'
import { everybody, type People, type Person, WHO } from './people.ts'
import { state } from './state.ts'
import { anEntity } from './entities.ts'

withApp()

let people: People
beforeAll(async () => void (people = await everybody()))

const here = WHO.filter((who) => who !== 'nobody' && who !== 'deactivated')
type Verdicts = Record<string, boolean>

/** Who is allowed. */
async function verdicts(route: Route, give: (owner: Person) => Promise<Given>, who = everyone()): Promise<Verdicts> {
  const found: Verdicts = {}
  // What a refused call left untouched is used for the next caller.
  const untouched = new Map<Person, Given>()
  for (const person of who) {
    const owner = person.who === 'bareOwner' ? person : people.owner
    const given = untouched.get(owner) ?? (await give(owner))
    const { status, body } = await ask(route, given, person)
    expect([200, 201, 403], `${person.who}: ${JSON.stringify(body)}`).toContain(status)
    found[person.who] = status < 300
    if (found[person.who]) untouched.delete(owner)
    else untouched.set(owner, given)
  }
  return found
}

const everyone = (): Person[] => here.map((who) => people[who])

async function revisionOf(entityId: string): Promise<string> {
  const query = db.selectFrom('revisions').select('_id').where('entityId', '=', entityId)
  return (await query.orderBy('version').limit(1).executeTakeFirstOrThrow())._id
}

describe('class 1: indirect ways need the same permissions as the direct one', () => {
  test.each(MANY_KINDS)('restoring a revision: %s', async (kind) => {
    const { api, body } = KIND_SAMPLES[kind]
    const plain = await verdicts(api.update, async (owner) => ({
      path: { id: await anEntity(kind, owner) },
      body: body(),
    }))
    const restored = await verdicts(revisionsApi.restore, async (owner) => ({
      path: { id: await revisionOf(await anEntity(kind, owner)) },
      body: {},
    }))
    expect(restored).toEqual(plain)
    expect(Object.values(plain)).toEqual(expect.arrayContaining([true, false]))
  })

  test('restoring a revision: Setting', async () => {
    await settings.change({ general: { siteName: 'Before' } }, { actor: SYSTEM })
    const plain = await verdicts(settingsApi.update, async () => ({ body: { general: { siteName: 'Now' } } }))
    const path = { id: await revisionOf(SETTINGS_ID) }
    expect(await verdicts(revisionsApi.restore, async () => ({ path, body: {} }))).toEqual(plain)
  })

  test('saving a batch, and claiming that a change is from AI', async () => {
    const translations = { en: { title: 'Another', description: '' } }
    const { _id } = await aMedia()
    const others = everyone().filter(({ who }) => who !== 'owner' && who !== 'bareOwner')
    const plain = await verdicts(mediaApi.update, async () => ({ path: { id: _id }, body: mediaInput() }), others)
    const batch = await verdicts(aiApi.saveBatch, async () => ({ body: [{ id: _id, translations }] }), others)
    expect(batch).toEqual(plain)
    for (const person of others) {
      const headers = { 'ai-runs': '0193f1d0-0000-7000-8000-000000000000' }
      const { status } = await ask(mediaApi.update, { path: { id: _id }, body: mediaInput() }, { ...person, headers })
      expect({ [person.who]: status < 300 }).toEqual({ [person.who]: plain[person.who] })
    }
    const created = await verdicts(mediaApi.create, async () => ({ body: mediaInput() }))
    expect(await verdicts(aiApi.createMedia, async () => ({ body: { translations } }))).toEqual(created)
  })

  test('creating characters and tags along with a media item', async () => {
    await aTier(700_000, { canCreateMedia: true, canCreateTag: true })
    const some = await signedIn({ role: 'user', scores: 700_000 })
    const texts = { translations: { en: { name: 'Somebody new', description: '' } } }
    const media = { translations: { en: { title: 'With somebody', description: '' } } }
    const before = await state()
    const refused = await ask(aiApi.createMedia, { body: { ...media, tags: ['New tag'], characters: [texts] } }, some)
    expect(refused.status).toBe(403)
    expect(await state()).toEqual(before)
    expect((await ask(aiApi.createMedia, { body: { ...media, tags: ['New tag'] } }, some)).status).toBe(201)
  })

  test('linking a character to a media item', async () => {
    const { _id } = await aMedia()
    const { owner, canCreateCharacter } = people
    const inside = { translations: { en: { name: 'Inside', description: '' } }, mediaRefs: [_id] }
    const made = { body: inside }
    const changed = { path: { id: await anEntity('Character', owner) }, body: inside }
    const before = await aCharacter({ mediaRefs: [_id] })
    await db.updateTable('characters').set({ createdBy: owner.user._id }).where('_id', '=', before).execute()
    await characters.update(before, { mediaRefs: [] }, { actor: SYSTEM })
    const restored = { path: { id: await revisionOf(before) }, body: {} }
    const then = await state()
    expect((await ask(charactersApi.create, made, canCreateCharacter)).status).toBe(403)
    expect((await ask(charactersApi.update, changed, owner)).status).toBe(403)
    expect((await ask(revisionsApi.restore, restored, owner)).status).toBe(403)
    expect(await state()).toEqual(then)
  })

  test('restoring a comment', async () => {
    const { _id: mediaId } = await aMedia()
    const comment = 'x'.repeat(600)
    await aTier(700_001, { canRateContent: true, canCommentUnrestricted: true })
    const writer = await signedIn({ role: 'user', scores: 700_001 })
    const { _id: id } = await writer.call(ratingsApi.create, { body: { mediaId, score: 1, comment } })
    await writer.call(ratingsApi.update, { id, body: { score: 1, comment: '' } })
    await db.updateTable('users').set({ scores: 0 }).where('_id', '=', writer.user._id).execute()
    const plain = await ask(ratingsApi.update, { path: { id }, body: { score: 1, comment } }, writer)
    const restored = await ask(revisionsApi.restore, { path: { id: await revisionOf(id) }, body: {} }, writer)
    expect(plain.status).toBeGreaterThanOrEqual(400)
    expect(restored).toEqual(plain)
  })

  test('uploading a file, whole, in parts or as a replacement', async () => {
    const video = await aVideo()
    const scores = 700_002
    await aTier(scores, { maxUploadSizeMB: 2, canUploadVideo: true, canEditOwnContent: true })
    const filmer = await signedIn({ role: 'user', scores })
    const who = [...everyone(), { ...people.user, ...filmer, who: 'canUploadVideo' as const, address: '10.9.1.1' }]
    for (const content of [PIXEL, video]) {
      const anAsset = async (person: Person) => {
        const _id = await anEntity('Asset', person)
        const type = content === video ? 'VIDEO' : 'IMAGE'
        await db.updateTable('assets').set({ type }).where('_id', '=', _id).execute()
        return _id
      }
      const inParts = async (person: Person, more: object = {}) => {
        const started = await ask(uploadsApi.begin, { body: { filename: 'a', size: content.length, ...more } }, person)
        const { _id: id = '' } = started.body as { _id?: string }
        if (started.status !== 201) return started.status
        return (await ask(uploadsApi.append, { path: { id }, file: { content, field: 'part' } }, person)).status
      }
      const ways: Record<string, (person: Person) => Promise<number>> = {
        whole: async (person) => (await ask(assetsApi.upload, { file: { content, field: 'file' } }, person)).status,
        parts: (person) => inParts(person),
        replacing: async (person) => {
          const given = { path: { id: await anAsset(person) }, file: { content, field: 'file' } }
          return (await ask(assetsApi.replace, given, person)).status
        },
        replacingInParts: async (person) => inParts(person, { replaces: { _id: await anAsset(person) } }),
      }
      for (const person of who) {
        const outcome: Verdicts = {}
        for (const [way, send] of Object.entries(ways)) {
          const status = await send(person)
          expect([200, 201, 403], `${person.who} ${way}`).toContain(status)
          outcome[way] = status < 300
        }
        // Replacing the file of one's own asset is an edit as well.
        const mayEdit = person.actor.role !== 'user' || person.actor.permissions.canEditOwnContent
        const { whole = false } = outcome
        expect({ who: person.who, ...outcome }).toEqual({
          who: person.who,
          whole,
          parts: whole,
          replacing: whole && mayEdit,
          replacingInParts: whole && mayEdit,
        })
      }
    }
  })

  test('restoring from the trash requires the permission to delete', async () => {
    // A rating may be deleted by its owner whatever the tier, but restoring it requires permission to rate.
    for (const kind of MANY_KINDS.filter((each) => each !== 'Rating')) {
      const { api } = KIND_SAMPLES[kind]
      const removed = await verdicts(api.remove, async (owner) => ({ path: { id: await anEntity(kind, owner) } }))
      const restored = await verdicts(api.restore, async (owner) => {
        const id = await anEntity(kind, owner)
        await ask(api.remove, { path: { id } }, people.admin)
        return { path: { id } }
      })
      expect({ kind, ...restored }).toEqual({ kind, ...removed })
    }
  })
})
