import { canonical } from '@mokuroku/contract/languageTags'
import { languagesApi } from '@mokuroku/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { languageName } from '#parts/titles.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { isComposing } from '#ui/composing.ts'
import { TextField } from '#ui/Field.tsx'
import { focusInvalid } from '#ui/focusRefused.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

const KNOWN = [
  'en',
  'zh',
  'zh-Hans',
  'zh-Hant',
  'ja',
  'ko',
  'vi',
  'fr',
  'ru',
  'es',
  'th',
  'de',
  'it',
  'pt',
  'pt-BR',
  'id',
]

interface Props {
  languages: string[]
  /** The default language, which cannot be removed. */
  first: string
  locked: boolean
  error: string | undefined
  onChange: (languages: string[]) => void
}

export function LanguageList({ languages, first, locked, error, onChange }: Props) {
  const { names, general } = area.use()
  const language = useLanguage()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const remove = (tag: string) => {
    onChange(languages.filter((each) => each !== tag))
    // The pressed button is gone, so focus the list.
    list.current?.focus()
  }
  return (
    <Stack role="group" aria-labelledby={id} gap={2} className={css.languages}>
      <div>
        <p id={id} className={css.label}>
          {names.languages}
        </p>
        <Muted as="p" small>
          {general.languagesHint}
        </Muted>
      </div>
      <ul ref={list} tabIndex={-1} className={css.tags}>
        {languages.map((tag) => {
          const name = languageName(tag, language)
          return (
            <li key={tag} className={css.tag}>
              <Link to={AREAS.Media.path} search={{ language: tag }}>
                {name}
              </Link>
              <Muted as="code" small className={css.code}>
                {tag}
              </Muted>
              <Missing tag={tag} />
              {tag === first && <Badge tone="accent">{general.isDefault}</Badge>}
              {!locked && tag !== first && (
                <IconButton size="small" icon={X} label={general.remove(name)} onClick={() => remove(tag)} />
              )}
            </li>
          )
        })}
      </ul>
      {error && <p className={css.fault}>{error}</p>}
      {!locked && <Add languages={languages} onAdd={(tag) => onChange([...languages, tag])} />}
    </Stack>
  )
}

/** Number of media without a text in a language, linked to them. */
function Missing({ tag }: { tag: string }) {
  const { general } = area.use()
  const language = useLanguage()
  const { data } = useQuery({ ...q(languagesApi.list), meta: { quiet: true } })
  const row = data?.data.find((each) => each.tag === tag)
  const missing = row ? row.Media.of - row.Media.filled : 0
  if (missing === 0) return null
  return (
    <Link to={AREAS.Media.path} search={{ missing: tag }} className={css.missing}>
      {general.missing(count(missing, language))}
    </Link>
  )
}

function Add({ languages, onAdd }: { languages: string[]; onAdd: (tag: string) => void }) {
  const { general } = area.use()
  const language = useLanguage()
  const id = useId()
  const [text, setText] = useState('')
  // An object, as the same fault is read again after every attempt.
  const [fault, setFault] = useState<{ message: string }>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (fault && field.current) focusInvalid(field.current)
  }, [fault])
  const add = () => {
    const tag = text.trim() ? canonical(text.trim()) : undefined
    if (!tag) return setFault({ message: general.noTag })
    if (languages.includes(tag)) return setFault({ message: general.twice })
    onAdd(tag)
    setText('')
    setFault(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    // Prevents Enter from also submitting the form.
    event.preventDefault()
    add()
  }
  return (
    <div className={css.add}>
      <TextField
        label={general.add}
        hint={general.addHint}
        value={text}
        list={id}
        error={fault?.message}
        ref={field}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setFault(undefined)
        }}
      />
      <datalist id={id}>
        {KNOWN.filter((tag) => !languages.includes(tag)).map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag, language)}
          </option>
        ))}
      </datalist>
      <Button icon={Plus} onClick={add}>
        {general.addButton}
      </Button>
    </div>
  )
}
