import { type ReactNode, Suspense, useState } from 'react'
import { type Fields, textOf } from '#lib/editorText.ts'
import { site } from '#lib/site.ts'
import { useLanguages } from '#parts/useLanguages.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { toast } from '#ui/toast.ts'
import { editorTexts } from './texts.ts'

const Enhance = lazyPart(() => import('#parts/ai/Enhance.tsx'), 'Enhance')

type Texts = Record<string, Record<string, string>>

interface Props {
  text: string
  /** Parses the text against the schema; if it is invalid, shows the problems and returns undefined. */
  read: (text: string) => Fields | undefined
  /** Replaces the text as one change, which can be undone. */
  put: (text: string) => void
}

/**
 * AI in the editor: `begin` starts a request, `panel` shows the answer, and `runs` are the ids of the runs that parts
 * of the text came from.
 */
export function useEnhancing({ text, read, put }: Props) {
  const texts = editorTexts.use()
  const languages = useLanguages()
  const [attempt, setAttempt] = useState(0)
  const [runs, setRuns] = useState<string[]>([])
  const [start, setStart] = useState<Texts>()

  const begin = () => {
    const value = read(text)
    if (!value) return
    const translations = textsIn(value)
    const any = Object.values(translations).some((fields) => Object.values(fields).some(Boolean))
    if (!any) return toast.info(texts.nothingToEnhance)
    setStart(translations)
    setAttempt(attempt + 1)
  }
  const merge = (accepted: Texts, run: string | undefined) => {
    const value = read(text)
    if (!value) return false
    const translations = textsIn(value)
    for (const [tag, fields] of Object.entries(accepted))
      translations[tag] = { ...blank(translations), ...translations[tag], ...fields }
    put(textOf({ ...value, translations }))
    if (run) setRuns([...runs.filter((each) => each !== run), run])
    setStart(undefined)
    return true
  }
  const panel: ReactNode = start && (
    <Suspense fallback={<Skeleton height={220} />}>
      <Enhance
        key={attempt}
        start={start}
        translations={current(text) ?? start}
        languages={targetsOf(languages)}
        onMerge={(accepted, run) => merge(accepted, run?._id)}
        onClose={() => setStart(undefined)}
      />
    </Suspense>
  )
  return { begin, panel, runs, forget: () => setRuns([]) }
}

/** Languages to translate into: those of the site, those in use, and Japanese, the language of most originals. */
const targetsOf = (languages: readonly string[]) => [...new Set([...site.get().languages, ...languages, 'ja'])]

const textsIn = ({ translations }: Fields): Texts => ({ ...(translations as Texts | undefined) })

/** All text fields, empty, for a new language. */
const blank = (texts: Texts) =>
  Object.fromEntries(Object.keys(Object.values(texts)[0] ?? {}).map((field) => [field, '']))

/** The current texts, if the text can be parsed. */
function current(text: string): Texts | undefined {
  try {
    const { translations } = JSON.parse(text) as Fields
    const isTexts = Object.values(translations as Texts).every(
      (fields) => typeof fields === 'object' && fields !== null,
    )
    return isTexts ? (translations as Texts) : undefined
  } catch {
    return undefined
  }
}
