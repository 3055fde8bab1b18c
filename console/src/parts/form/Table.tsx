import { isInFamily } from '@mokuroku/contract/languageTags'
import { isObject } from '@mokuroku/contract/merge'
import { X } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { site } from '#lib/site.ts'
import { IconButton } from '#ui/Button.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Muted } from '#ui/layout.tsx'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { capital, useLabels, type Words } from '../labels.ts'
import { languageName } from '../titles.ts'
import { useEditorLanguages } from '../useLanguages.ts'
import { focusPlace } from './focus.ts'
import { type FieldProps, type Form, FormContext, inWords, placeAttribute, useForm, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'
import { startOf, written } from './shape.ts'
import { formTexts } from './texts.ts'

interface Props extends FieldProps {
  row: JsonSchema
  columns: readonly string[]
}

/** Texts by language: a row for each language that has texts or is wanted, even if empty. */
export function Table({ place, value, row, columns }: Props) {
  const id = useId()
  const texts = formTexts.use()
  const language = useLanguage()
  const form = useForm()
  const { languages: wanted } = site.use()
  const words: Words = useLabels()[form.kind]
  const values = isObject(value) ? value : {}
  const { properties = {}, required } = written(row)
  const root = useRef<HTMLFieldSetElement>(null)
  const [added, setAdded] = useState<string>()
  useEffect(() => {
    // After the new row has been rendered.
    if (added && root.current) focusPlace(root.current, [...place, added])
  }, [added, place])
  const add = (tag: string) => {
    form.set([...place, tag], startOf(row))
    setAdded(tag)
  }
  return (
    <fieldset className={css.set} aria-describedby={id} ref={root}>
      <legend className={css.legend}>{texts.languages}</legend>
      <div className={css.table} style={{ '--columns': columns.length } as CSSProperties}>
        <div className={css.head} aria-hidden>
          <span>{texts.language}</span>
          {columns.map((name) => (
            <span key={name}>{capital(words.fields[name] ?? inWords(name))}</span>
          ))}
        </div>
        {rowsOf(wanted, Object.keys(values)).map((tag) => {
          const texted = values[tag]
          const of = isObject(texted) ? texted : undefined
          return (
            <div
              key={tag}
              className={css.line}
              role="group"
              aria-label={languageName(tag, language)}
              data-place={placeAttribute([...place, tag])}
            >
              <p className={css.language}>
                <span>{languageName(tag, language)}</span>
                <Muted small>{tag}</Muted>
              </p>
              <MadeOnTyping place={[...place, tag]} start={of ? undefined : startOf(row)}>
                {columns.map((name) => (
                  <form.Field
                    key={name}
                    place={[...place, tag, name]}
                    schema={properties[name] ?? {}}
                    value={of?.[name]}
                    isRequired={required?.includes(name) ?? false}
                    hideLabel
                  />
                ))}
              </MadeOnTyping>
              {!form.isReadOnly && (
                <span className={css.end}>
                  {of && (
                    <IconButton
                      icon={X}
                      size="small"
                      label={texts.removeLanguage(languageName(tag, language))}
                      onClick={() => form.set([...place, tag], undefined)}
                    />
                  )}
                </span>
              )}
            </div>
          )
        })}
      </div>
      {!form.isReadOnly && <AddLanguage has={Object.keys(values)} onAdd={add} />}
      <Messages id={id} {...useMarks(place, 'only')} />
    </fieldset>
  )
}

interface RowProps {
  place: FieldProps['place']
  /** Initial value while the row does not exist yet. */
  start: unknown
  children: ReactNode
}

/** Creates a language's row when its first text is typed, with its other texts empty. */
function MadeOnTyping({ place, start, children }: RowProps) {
  const form = useForm()
  const path = place.join('.')
  const made = isObject(start) ? JSON.stringify(start) : undefined
  const context = useMemo((): Form => {
    if (made === undefined) return form
    const empty = JSON.parse(made) as object
    return {
      ...form,
      set: (at, value, how) => form.set(path.split('.'), { ...empty, [String(at.at(-1))]: value }, how),
    }
  }, [form, path, made])
  return <FormContext value={context}>{children}</FormContext>
}

function AddLanguage({ has, onAdd }: { has: readonly string[]; onAdd: (tag: string) => void }) {
  const texts = formTexts.use()
  const language = useLanguage()
  const languages = useEditorLanguages().filter((tag) => !has.includes(tag))
  return (
    <SelectField
      hideLabel
      className={css.add}
      label={texts.addLanguage}
      value=""
      onKeyDown={openList}
      options={[
        { value: '', label: texts.addLanguage },
        ...languages.map((tag) => ({ value: tag, label: `${languageName(tag, language)} · ${tag}` })),
      ]}
      onChange={(tag) => tag && onAdd(tag)}
    />
  )
}

/**
 * Opens the list on a key that would choose an option of the closed select, and so add a language that is only passed.
 * Does nothing where it cannot be told whether the list is open, and in Safari, which cannot open it.
 */
function openList(event: KeyboardEvent<HTMLSelectElement>) {
  const { key, currentTarget: select } = event
  const chooses = key.length === 1 || /^(Arrow|Page|Home|End)/.test(key)
  if (!chooses || event.altKey || event.ctrlKey || event.metaKey) return
  if (!('showPicker' in select) || !CSS.supports('selector(:open)') || select.matches(':open')) return
  event.preventDefault()
  select.showPicker()
}

/** The wanted languages first (each as the existing languages of its family, or else itself), then the others. */
function rowsOf(wanted: readonly string[], has: readonly string[]): string[] {
  const first = wanted.flatMap((tag) => {
    const near = has.includes(tag) ? [tag] : has.filter((each) => isInFamily(each, tag))
    return near.length > 0 ? near : [tag]
  })
  return [...new Set([...first, ...has])]
}
