import { useMemo, useState } from 'react'
import type * as z from 'zod/mini'
import { readText } from '#lib/editorText.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { type Fault, problemsOf } from './check.ts'
import type { EntityEditorProps } from './props.ts'
import { editorTexts } from './texts.ts'
import { useWarnings } from './useWarnings.ts'

interface Options extends Pick<EntityEditorProps<never>, 'edited'> {
  schema: z.ZodMiniObject
  text: string
  /** The stored text. */
  stored: string
}

const NOTHING = { title: '', problems: [] }

/** What is wrong with the edited text, according to the schema, the server and the catalogue checks. */
export function useChecks({ edited: { kind, id }, schema, text, stored }: Options) {
  const texts = editorTexts.use()
  const [faults, setFaults] = useState<Fault[]>([])
  const [tried, setTried] = useState({ times: 0, text: '' })
  const [refused, setRefused] = useState(0)
  const rested = useDebounced(text)
  const checked = tried.text === text ? text : rested
  const read = useMemo(() => readText(checked, schema), [checked, schema])
  const wrong = useMemo(() => problemsOf(checked, read, faults, texts), [checked, read, faults, texts])
  const value = read.state === 'read' ? read.value : undefined
  const warnings = useWarnings({ kind, id, schema, text: checked, value, stored })
  // The initial data of a new entity may be incomplete; that is not the user's mistake.
  const isUntouched = text === stored && tried.times === 0
  const addRefusal = () => setRefused((times) => times + 1)

  return {
    /** The parsed text; undefined while it is invalid. */
    value,
    /** Heading and lines of the problems, for the debounced text. */
    problems: isUntouched ? NOTHING : wrong,
    /** The catalogue checks' findings, for the debounced text. */
    warnings: isUntouched && id === undefined ? NOTHING : warnings,
    isChecked: checked === text,
    /** Number of failed attempts to save this text. */
    tried: tried.text === text ? tried.times : 0,
    /** How often saving was rejected because of the content, here or by the server. */
    refused,
    /** Sets what the server has rejected. */
    onFaults: (found: Fault[]) => {
      setFaults(found)
      if (found.length > 0) addRefusal()
    },
    /** Parses a text against the schema; if it is invalid, shows the problems and returns undefined. */
    readNow: (from: string) => {
      const reading = readText(from, schema)
      if (reading.state === 'read') return reading.value
      setTried(({ times }) => ({ times: times + 1, text: from }))
      addRefusal()
      return undefined
    },
  }
}
