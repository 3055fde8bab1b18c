import { isBlank } from '@mokuroku/contract/merge'
import { useSyncExternalStore } from 'react'
import type { Names } from '#parts/jsonEditor/idNames.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './Value.module.css'
import { editorTexts } from './texts.ts'

interface Props {
  value: unknown
  /** Value to compare with; undefined: no diff. */
  before?: unknown
  lang: string | undefined
  names: Names
}

/** A field's value: a text with a word diff, a list of ids by their titles, anything else as JSON. */
export function Value({ value, before, lang, names }: Props) {
  const editor = editorTexts.use()
  if (isBlank(value) || (Array.isArray(value) && value.length === 0))
    return <p className={css.nothing}>{editor.stale.nothing}</p>
  if (Array.isArray(value)) return <Items items={value.map(String)} before={before} names={names} />
  if (typeof value !== 'string') return <p className={css.text}>{JSON.stringify(value)}</p>
  return <WordDiff before={typeof before === 'string' && before !== '' ? before : value} after={value} lang={lang} />
}

function Items({ items, before, names }: { items: string[]; before: unknown; names: Names }) {
  const old = Array.isArray(before) ? before.map(String) : items
  return (
    <Stack as="ul" gap={1} className={css.items}>
      {items.map((id) => (
        <li key={id}>
          {old.includes(id) ? (
            <Item {...{ id, names }} />
          ) : (
            <ins>
              <Item {...{ id, names }} />
            </ins>
          )}
        </li>
      ))}
      {old
        .filter((id) => !items.includes(id))
        .map((id) => (
          <li key={id}>
            <del>
              <Item {...{ id, names }} />
            </del>
          </li>
        ))}
    </Stack>
  )
}

function Item({ id, names }: { id: string; names: Names }) {
  const name = useSyncExternalStore(names.follow, () => names.get(id))
  return typeof name === 'object' ? <span lang={name.lang}>{name.text}</span> : <code>{id}</code>
}
