import { isBlank } from '@mokuroku/contract/merge'
import { asRecord, Members } from '#parts/history/Change.tsx'
import { useChangeText } from '#parts/history/changeText.ts'
import { EntryName } from '#parts/history/EntryName.tsx'
import type { Revised } from '#parts/history/revised.ts'
import type { Index, Names } from '#parts/jsonEditor/idNames.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './Value.module.css'
import { editorTexts } from './texts.ts'

interface Props {
  revised: Revised
  field: string
  value: unknown
  /** Value to compare with; undefined: no diff. */
  before?: unknown
  lang: string | undefined
  names: Names
}

/** A field's value, of which a radio button has its name, without what was removed: ids by the titles of their entries, a text with a word diff, members by name, anything else as in the history. */
export function Value({ revised, field, value, before, lang, names }: Props) {
  const editor = editorTexts.use()
  const { valueOf, membersOf } = useChangeText(revised)
  const index = revised.links?.[field]
  if (isBlank(value) || (Array.isArray(value) && value.length === 0))
    return <p className={css.nothing}>{editor.stale.nothing}</p>
  if (Array.isArray(value)) return <Items items={value.map(String)} {...{ before, index, names }} />
  const formatted = lang || revised.written?.includes(field) ? String(value) : valueOf(field, value)
  const members = membersOf(field)
  if (index)
    return (
      <p className={css.text}>
        <EntryName index={index} id={String(value)} names={names} />
      </p>
    )
  if (members)
    return (
      <Members
        revised={revised}
        names={members}
        from={before === undefined ? undefined : asRecord(before)}
        to={asRecord(value)}
      />
    )
  if (value !== formatted) return <p className={css.text}>{formatted}</p>
  return (
    <WordDiff
      before={typeof before === 'string' && before !== '' ? before : formatted}
      after={formatted}
      lang={lang}
      hidesOld
    />
  )
}

interface ItemsProps extends Pick<Props, 'before' | 'names'> {
  items: string[]
  index: Index | undefined
}

function Items({ items, before, index, names }: ItemsProps) {
  const old = Array.isArray(before) ? before.map(String) : items
  return (
    <Stack as="ul" gap={1} className={css.items}>
      {items.map((id) => (
        <li key={id}>
          {old.includes(id) ? (
            <EntryName {...{ index, id, names }} />
          ) : (
            <ins>
              <EntryName {...{ index, id, names }} />
            </ins>
          )}
        </li>
      ))}
      {old
        .filter((id) => !items.includes(id))
        .map((id) => (
          <li key={id}>
            <del aria-hidden>
              <EntryName {...{ index, id, names }} />
            </del>
          </li>
        ))}
    </Stack>
  )
}
