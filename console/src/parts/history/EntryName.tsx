import { useEffect, useSyncExternalStore } from 'react'
import type { Index, Names } from '#parts/jsonEditor/idNames.ts'
import css from './EntryName.module.css'

interface Props {
  /** What the id refers to; undefined: its name is not looked up. */
  index: Index | undefined
  id: string
  names: Names
}

/** The name of an entry, or its id until that is known. */
export function EntryName({ index, id, names }: Props) {
  useEffect(() => {
    if (index && id) void names.want(index, [id])
  }, [names, index, id])
  const name = useSyncExternalStore(names.follow, () => names.get(id))
  return typeof name === 'object' ? <span lang={name.lang}>{name.text}</span> : <code className={css.id}>{id}</code>
}
