import { type ComponentType, createContext, useContext } from 'react'
import type { Kind } from '@mokuroku/contract/kinds'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { capital, useLabels, type Words } from '../labels.ts'
import type { Editor } from '../area/area.ts'
import type { MakeByName } from '../area/makeByName.ts'
import type { Index, Links, Names } from '../jsonEditor/idNames.ts'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { languageName } from '../titles.ts'
import type { Place } from './changes.ts'
import { formTexts } from './texts.ts'

/** Context of a form: what is edited, and how to change it. */
export interface Form {
  kind: Kind
  links: Links
  names: Names
  /** Returns the function that creates entities of an index from within a picker. */
  makeByName: (index: Index) => MakeByName | undefined
  /** Fields that hold a password. */
  secrets: readonly string[]
  beneath: NonNullable<Editor<never>['beneath']>
  isReadOnly: boolean
  /** The component for any field, for fields that contain others. */
  Field: ComponentType<FieldProps>
  /** Sets the value at a place of the document; undefined removes it. */
  set: (place: Place, value: unknown, how?: 'typing') => void
}

/** An error or finding at a place. */
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
  /** The label is apparent from the layout, and only used as accessible name. */
  hideLabel?: boolean
}

export const FormContext = createContext<Form | undefined>(undefined)
export const MarksContext = createContext<readonly Mark[]>([])

export function useForm(): Form {
  const form = useContext(FormContext)
  if (!form) throw new Error('There is no form around this field')
  return form
}

/** The messages for a field; with `below`, including those for values inside it. */
export function useMarks(place: Place, below: 'below' | 'only' = 'below') {
  const path = place.join('.')
  const own = useContext(MarksContext).filter((mark) => {
    const at = mark.place.map(String).join('.')
    return at === path || (below === 'below' && at.startsWith(`${path}.`))
  })
  const messagesOf = (marks: readonly Mark[]) =>
    [...new Set(marks.map(({ message }) => message))].reduce(joinSentences, '') || undefined
  return {
    error: messagesOf(own.filter((mark) => !mark.isWarning)),
    warning: messagesOf(own.filter((mark) => mark.isWarning)),
  }
}

/** Returns a function that gives the label of a field; for texts by language, including the language. */
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

/** The field with texts by language, in every kind that has them. */
export const TRANSLATIONS = 'translations'

/** A field name as words: `requiredScore` becomes 'required score'. */
export const inWords = (name: string) => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Value of the `data-place` attribute, by which a field is found. */
export const placeAttribute = (place: readonly PropertyKey[]) => place.map(String).join('.')
