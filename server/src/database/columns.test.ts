import { kindOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import type { translations } from '@mokuroku/contract/common'
import { expect, test } from 'vitest'
import { withApp } from '#test/app.ts'
import { fieldsOf } from '#test/contract.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'
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

test.each(MANY_KINDS)('every input field of %s is also in the response', (kind) => {
  const { update, find } = KIND_SAMPLES[kind].api
  const written = fieldsOf(update.body).filter((name) => !APART.has(name))
  expect(written).not.toEqual([])
  expect(fieldsOf(find.response)).toEqual(expect.arrayContaining(written))
})

test.each(TRANSLATED_KINDS)(
  '%s: the `fields` of its `texts` (kinds.ts) are those that its translations accept',
  (kind) => {
    const { shape } = KIND_SAMPLES[kind].api.update.body as unknown as {
      shape: { translations: ReturnType<typeof translations> }
    }
    expect(kindOf(kind).texts?.fields).toEqual(fieldsOf(shape.translations.def.in.def.valueType))
  },
)

test('isClearable tells columns of the same name in different tables apart', () => {
  expect([isClearable('media', 'originalTitle'), isClearable('tags', 'originalTitle')]).toEqual([true, false])
})
