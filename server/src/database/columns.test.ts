import { Character, CharacterInput } from '@mokuroku/contract/characters'
import { Media, MediaInput } from '@mokuroku/contract/media'
import { Tag, TagInput } from '@mokuroku/contract/tags'
import { expect, test } from 'vitest'
import { withApp } from '#test/app.ts'
import { isClearable } from './columns.ts'
import { db } from './db.ts'
import { INPUTS } from './tables.ts'

withApp()

/** Fields that are stored in another form. */
const APART = new Set(['password'])

test.each(Object.entries(INPUTS))('every input field of %s in the contract has a column', async (table, input) => {
  const columns = Object.keys(input.shape).filter((name) => !APART.has(name))
  const rows = db
    .selectFrom(table as 'media')
    .select(columns as 'isOngoing'[])
    .limit(1)
  await expect(rows.execute()).resolves.toBeInstanceOf(Array)
})

test.each([
  ['media', MediaInput, Media],
  ['characters', CharacterInput, Character],
  ['tags', TagInput, Tag],
] as const)('every input field of %s is also in the response', (_, input, output) => {
  expect(Object.keys(output.shape)).toEqual(expect.arrayContaining(Object.keys(input.shape)))
})

test('isClearable tells columns of the same name in different tables apart', () => {
  expect([isClearable('media', 'originalTitle'), isClearable('tags', 'originalTitle')]).toEqual([true, false])
})
