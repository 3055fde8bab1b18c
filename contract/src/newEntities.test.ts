import { expect, test } from 'vitest'
import { newCharacter } from './characters.ts'
import { newMedia } from './media.ts'
import { newTag } from './tags.ts'
import { newTier } from './tiers.ts'

const named = { name: '', description: '' }
const titled = { title: '', description: '' }

test('a new media item is an ongoing anime released now, with English and Chinese texts', () => {
  const now = '2026-01-05T00:00:00.000Z'
  expect(newMedia(now)).toMatchObject({
    mediaType: 'ANIME',
    translations: { en: titled, zh: titled },
    isOngoing: true,
    releaseDate: now,
    duration: 0,
    episodes: 0,
  })
})

test('a new character has English and Chinese texts', () => {
  expect(newCharacter().translations).toEqual({ en: named, zh: named })
})

test('a new tag is an active genre in black', () => {
  expect(newTag()).toMatchObject({ type: 'GENRE', color: '#000000', status: 'ACTIVE', icon: null, parentTag: null })
})

test('a new tier is active from score 0, grants only rating, and uploads up to 2 MB', () => {
  const { permissions, ...tier } = newTier()
  expect(tier).toMatchObject({ requiredScore: 0, isActive: true })
  const { maxUploadSizeMB, ...flags } = permissions
  expect(maxUploadSizeMB).toBe(2)
  const granted = Object.entries(flags).flatMap(([name, isGranted]) => (isGranted ? [name] : []))
  expect(granted).toEqual(['canRateContent'])
})
