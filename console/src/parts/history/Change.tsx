import { ArrowRight } from 'lucide-react'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { fileSize } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import type { Names } from '#parts/jsonEditor/idNames.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import css from './Change.module.css'
import type { Difference } from './differences.ts'
import { LINKS } from './idNames.ts'
import { historyTexts } from './texts.ts'
import { useChangeText } from './changeText.ts'

/** Fields that hold what a person has written. */
const WRITTEN = new Set(['originalTitle', 'originalName', 'filename', 'comment', 'description', 'name', 'icon'])
/** As many of a list as are named; the others are counted. */
const NAMED = 20

/** From one value to another: words marked, ids by their names, anything else side by side. */
export function Change({ difference, names }: { difference: Difference; names: Names }) {
  const texts = historyTexts.use()
  const { valueOf } = useChangeText()
  const { field, language, from, to } = difference
  if (language || WRITTEN.has(field)) {
    const [before, after] = [asText(from), asText(to)]
    return <WordDiff short {...{ before, after }} lang={language ?? guessLanguage(after || before)} />
  }
  if (Array.isArray(from) || Array.isArray(to))
    return <ListChange field={field} from={ids(from)} to={ids(to)} names={names} />
  if (LINKS[field]) {
    return (
      <Sides
        from={asText(from) && <Named field={field} id={asText(from)} names={names} />}
        to={asText(to) && <Named field={field} id={asText(to)} names={names} />}
      />
    )
  }
  if (field === 'permissions') return <Flags from={asRecord(from)} to={asRecord(to)} />
  if (field === 'file') {
    const sizes = [from, to].every((size) => typeof size === 'number')
    return sizes ? <Sides from={fileSize(Number(from))} to={fileSize(Number(to))} /> : <p>{texts.another}</p>
  }
  return <Sides from={valueOf(field, from)} to={valueOf(field, to)} />
}

/** What is empty on one side is not named there. */
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
  field: string
  from: string[]
  to: string[]
  names: Names
}

function ListChange({ field, from, to, names }: ListProps) {
  const texts = historyTexts.use()
  const added = to.filter((id) => !from.includes(id))
  const removed = from.filter((id) => !to.includes(id))
  const same = to.length - added.length
  return (
    <div className={css.lists}>
      {[
        { name: texts.added, of: added, Tag: 'ins' as const, look: css.new },
        { name: texts.removed, of: removed, Tag: 'del' as const, look: css.old },
      ].map(
        ({ name, of, Tag, look }) =>
          of.length > 0 && (
            <div key={name} className={css.list}>
              <span className={css.side}>{name}</span>
              {of.slice(0, NAMED).map((id) => (
                <Tag key={id} className={look}>
                  <Named {...{ field, id, names }} />
                </Tag>
              ))}
              {of.length > NAMED && <span>{texts.more(of.length - NAMED)}</span>}
            </div>
          ),
      )}
      {same > 0 && <span className={css.side}>{texts.unchanged(same)}</span>}
    </div>
  )
}

function Named({ field, id, names }: { field: string; id: string; names: Names }) {
  const index = LINKS[field]
  useEffect(() => {
    if (index && id) void names.want(index, [id])
  }, [names, index, id])
  const name = useSyncExternalStore(names.follow, () => names.get(id))
  return name && name !== 'missing' ? <span lang={name.lang}>{name.text}</span> : <code className={css.id}>{id}</code>
}

function Flags({ from, to }: { from: Record<string, unknown>; to: Record<string, unknown> }) {
  const { capability, valueOf } = useChangeText()
  const language = useLanguage()
  const known = Object.keys(historyTexts.use().capabilities)
  const flags = [...new Set([...known, ...Object.keys(from), ...Object.keys(to)])].filter(
    (flag) => JSON.stringify(from[flag]) !== JSON.stringify(to[flag]),
  )
  return (
    <dl className={css.flags}>
      {flags.map((flag) => (
        <div key={flag}>
          <dt className={css.side} lang={language}>
            {capability(flag)}
          </dt>
          <dd>
            <Sides from={valueOf(flag, from[flag])} to={valueOf(flag, to[flag])} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
const ids = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const asRecord = (value: unknown) =>
  (typeof value === 'object' && value !== null ? { ...value } : {}) as Record<string, unknown>
