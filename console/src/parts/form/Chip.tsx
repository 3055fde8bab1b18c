import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from '#ui/Button.tsx'
import { Muted, Truncate } from '#ui/layout.tsx'
import { type Index, isId } from '../jsonEditor/idNames.ts'
import { Cover } from '../Cover.tsx'
import { useFactsOf } from '../Suggestion.tsx'
import { useForm } from './form.ts'
import css from './Form.module.css'
import { formTexts } from './texts.ts'

interface Props {
  id: string
  index: Index
  onRemove: (() => void) | undefined
}

/** The entity behind an id: its image, its name in its own language, its type and year. */
export function Chip({ id, index, onRemove }: Props) {
  const texts = formTexts.use()
  const { names } = useForm()
  const name = useSyncExternalStore(names.follow, () => names.get(id))
  const facts = useFactsOf()
  const isMissing = name === 'missing' || !isId(id)
  const known = typeof name === 'object' ? name : undefined
  const shown = known?.text ?? (isMissing ? texts.missing : name === 'failed' ? texts.unnamed : '…')
  return (
    <li className={css.chip} data-missing={(isMissing && !known) || undefined}>
      {known?.choice && index !== 'tags' && <Cover cover={known.choice.cover} entity={known.choice} size="row" />}
      <span className={css.chipText} title={known ? shown : id}>
        <Truncate lang={known?.lang}>{shown}</Truncate>
        {known?.choice && <Muted small>{facts(known.choice)}</Muted>}
      </span>
      {onRemove && <IconButton icon={X} size="small" label={texts.remove(shown)} onClick={onRemove} />}
    </li>
  )
}
