import { type ComponentType, createContext, useContext } from 'react'
import type { Kind } from '@mokuroku/contract/kinds'
import { useLanguage } from '#i18n/messages.ts'
import { capital, useLabels, type Words } from '../labels.ts'
import type { Editor } from '../area/area.ts'
import type { MakeByName } from '../area/makeByName.ts'
import type { Index, Links, Names } from '../jsonEditor/idNames.ts'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { languageName } from '../titles.ts'
import type { Place } from './changes.ts'
import { formTexts } from './texts.ts'

/** What is edited, and how it is changed: the same for as long as the form is open. */
export interface Form {
  kind: Kind
  links: Links
  names: Names
  /** What makes entries where they are picked. */
  makeByName: (index: Index) => MakeByName | undefined
  /** Fields that hold a password. */
  secrets: readonly string[]
  beneath: NonNullable<Editor<never>['beneath']>
  isReadOnly: boolean
  /** The field of a value, for fields that hold others. */
  Field: ComponentType<FieldProps>
  /** Makes `value` stand at a place of the document; undefined takes it out. */
  set: (place: Place, value: unknown, how?: 'typing') => void
}

/** What is wrong with, or found in, the value at a place. */
export interface Mark {
  place: readonly PropertyKey[]
  message: string
  isWarning?: true
}

export interface FieldProps {
  place: Place
  schema: JsonSchema
  value: unknown
  isRequired: boolean
  /** Who sees the place knows what it is called. */
  hideLabel?: boolean
}

export const FormContext = createContext<Form | undefined>(undefined)
export const MarksContext = createContext<readonly Mark[]>([])

export function useForm(): Form {
  const form = useContext(FormContext)
  if (!form) throw new Error('There is no form around this field')
  return form
}

/** What is said at a field; `below` adds what is said of what stands in it. */
export function useMarks(place: Place, below: 'below' | 'only' = 'below') {
  const path = place.join('.')
  const own = useContext(MarksContext).filter((mark) => {
    const at = mark.place.map(String).join('.')
    return at === path || (below === 'below' && at.startsWith(`${path}.`))
  })
  const said = (marks: readonly Mark[]) => [...new Set(marks.map(({ message }) => message))].join(' ') || undefined
  return { error: said(own.filter((mark) => !mark.isWarning)), warning: said(own.filter((mark) => mark.isWarning)) }
}

/** What the field at a place is called; in a table by language, with the language. */
export function useLabelOf() {
  const words: Words = useLabels()[useForm().kind]
  const texts = formTexts.use()
  const language = useLanguage()
  const named = (name: string) => words.fields[name] ?? inWords(name)
  return (place: Place): string => {
    const steps = place.map(String)
    const [field = '', second, third] = steps
    if (field === TRANSLATIONS && second) return texts.in(capital(named(third ?? '')), languageName(second, language))
    if (field === TRANSLATIONS) return texts.languages
    if (second === undefined) return capital(named(field))
    const members: Readonly<Record<string, string>> = words.members?.[field] ?? {}
    return members[steps.at(-1) ?? ''] ?? capital(inWords(steps.at(-1) ?? ''))
  }
}

/** The field that holds texts by language, of every kind that has some. */
export const TRANSLATIONS = 'translations'

/** A name of the contract as words: `requiredScore` is 'required score'. */
export const inWords = (name: string) => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The attribute by which a field is found again. */
export const placeAttribute = (place: readonly PropertyKey[]) => place.map(String).join('.')
