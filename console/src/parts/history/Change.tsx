import { isObject } from '@mokuroku/contract/merge'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { fileSize } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import type { Index, Names } from '#parts/jsonEditor/idNames.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import css from './Change.module.css'
import type { Difference } from './differences.ts'
import { EntryName } from './EntryName.tsx'
import type { Revised } from './revised.ts'
import { historyTexts } from './texts.ts'
import { useChangeText } from './changeText.ts'

/** How many items of a list are named; the others are counted. */
const NAMED = 20

interface Props {
  revised: Revised
  difference: Difference
  names: Names
}

/** One change: texts as a word diff, ids by name, anything else as old and new value. */
export function Change({ revised, difference, names }: Props) {
  const texts = historyTexts.use()
  const { valueOf, membersOf } = useChangeText(revised)
  const { field, language, from, to } = difference
  const index = revised.links?.[field]
  const members = membersOf(field)
  if (language || revised.written?.includes(field)) {
    const [before, after] = [asText(from), asText(to)]
    return <WordDiff short {...{ before, after }} lang={language ?? guessLanguage(after || before)} />
  }
  if (Array.isArray(from) || Array.isArray(to))
    return <ListChange index={index} from={ids(from)} to={ids(to)} names={names} />
  if (index) {
    return (
      <Sides
        from={asText(from) && <EntryName index={index} id={asText(from)} names={names} />}
        to={asText(to) && <EntryName index={index} id={asText(to)} names={names} />}
      />
    )
  }
  if (members) return <Members revised={revised} names={members} from={asRecord(from)} to={asRecord(to)} />
  if (field === revised.together?.field) {
    const sizes = [from, to].every((size) => typeof size === 'number')
    return sizes ? <Sides from={fileSize(Number(from))} to={fileSize(Number(to))} /> : <p>{texts.another}</p>
  }
  return <Sides from={valueOf(field, from)} to={valueOf(field, to)} />
}

/** An empty side is left out. */
function Sides({ from, to }: { from: ReactNode; to: ReactNode }) {
  return (
    <p className={css.sides}>
      {from && <del className={css.old}>{from}</del>}
      {from && to && <ArrowRight size={14} aria-hidden />}
      {to && <ins className={css.new}>{to}</ins>}
    </p>
  )
}

interface ListProps {
  index: Index | undefined
  from: string[]
  to: string[]
  names: Names
}

function ListChange({ index, from, to, names }: ListProps) {
  const texts = historyTexts.use()
  const added = to.filter((id) => !from.includes(id))
  const removed = from.filter((id) => !to.includes(id))
  const same = to.length - added.length
  return (
    <Stack gap={2}>
      {[
        { name: texts.added, ids: added, Tag: 'ins' as const, className: css.new },
        { name: texts.removed, ids: removed, Tag: 'del' as const, className: css.old },
      ].map(
        ({ name, ids, Tag, className }) =>
          ids.length > 0 && (
            <div key={name} className={css.list}>
              <Muted>{name}</Muted>
              {ids.slice(0, NAMED).map((id) => (
                <Tag key={id} className={className}>
                  <EntryName {...{ index, id, names }} />
                </Tag>
              ))}
              {ids.length > NAMED && <span>{texts.more(ids.length - NAMED)}</span>}
            </div>
          ),
      )}
      {added.length + removed.length === 0 && <Muted>{texts.reordered}</Muted>}
      {same > 0 && <Muted>{texts.unchanged(same)}</Muted>}
    </Stack>
  )
}

interface MembersProps {
  revised: Revised
  /** Labels of the members; without one, the name itself. */
  names: Readonly<Record<string, string>>
  /** undefined: nothing to compare with. */
  from: Record<string, unknown> | undefined
  to: Record<string, unknown>
}

/** The members that differ, by name; without a comparison, all of them. */
export function Members({ revised, names, ...sides }: MembersProps) {
  const { valueOf } = useChangeText(revised)
  const language = useLanguage()
  const [from, to] = [sides.from && flat(sides.from), flat(sides.to)]
  const changed = [...new Set([...Object.keys(names), ...Object.keys(from ?? {}), ...Object.keys(to)])].filter(
    (member) => JSON.stringify(from?.[member]) !== JSON.stringify(to[member]),
  )
  return (
    <Stack as="dl" gap={2}>
      {changed.map((member) => (
        <div key={member}>
          <Muted as="dt" lang={language}>
            {names[member] ?? member}
          </Muted>
          <dd>
            {from ? (
              <Sides from={valueOf(member, from[member])} to={valueOf(member, to[member])} />
            ) : (
              valueOf(member, to[member])
            )}
          </dd>
        </div>
      ))}
    </Stack>
  )
}

/** With the members of members, which keep their own names, in their place. */
const flat = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.assign({}, ...Object.entries(record).map(([name, value]) => (isObject(value) ? value : { [name]: value })))

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
const ids = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
export const asRecord = (value: unknown) =>
  (typeof value === 'object' && value !== null ? { ...value } : {}) as Record<string, unknown>
