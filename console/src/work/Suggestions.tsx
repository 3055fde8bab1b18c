import { Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { toastFailure } from '#api/queryClient.ts'
import { localized } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { AiStatusFailure, useAiStatus } from '#parts/ai/AiStatus.tsx'
import { enhancement } from '#parts/ai/streams.ts'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { withText } from './deskState.ts'
import type { Desk } from './desk.ts'
import type { Entry, Offered } from './queue.ts'
import { workTexts } from './texts.ts'
import { takeKey } from './useDeskKeys.ts'
import css from './Work.module.css'

interface Props {
  desk: Desk
  entry: Entry
  onTake: (position: number) => void
}

/** Suggested texts, each with its source and shortcut; a model is only asked if the user wants to. */
export function Suggestions({ desk, entry, onTake }: Props) {
  const texts = workTexts.use()
  const { suggestions, suggestionsFailure: failure } = entry
  const language = desk.languageIn(entry)
  return (
    <section aria-labelledby="work-suggestions">
      <h3 id="work-suggestions">{texts.suggestions}</h3>
      {failure !== undefined && <SuggestionsFailed desk={desk} id={entry.id} failure={failure} />}
      {suggestions === undefined && failure === undefined && <Muted as="p">{texts.suggesting}</Muted>}
      {suggestions?.length === 0 && <Muted as="p">{texts.noSuggestions}</Muted>}
      {suggestions && suggestions.length > 0 && (
        <ol className={css.suggestions}>
          {suggestions.map((each, position) => {
            const key = takeKey(position)
            return (
              <li key={`${each.origin} ${each.text}`}>
                <button type="button" onClick={() => onTake(position)} title={key}>
                  <span lang={language}>{each.text}</span>
                  {key && (
                    <KeyHint>
                      <Kbd>{key}</Kbd>
                    </KeyHint>
                  )}
                </button>
                <Source desk={desk} language={language} suggestion={each} />
              </li>
            )
          })}
        </ol>
      )}
      <AskModel desk={desk} entry={entry} />
    </section>
  )
}

function SuggestionsFailed({ desk, id, failure }: { desk: Desk; id: string; failure: unknown }) {
  const texts = workTexts.use()
  const [isRetrying, setRetrying] = useState(false)
  const retry = async () => {
    setRetrying(true)
    await desk.suggest(id)
    setRetrying(false)
  }
  return (
    <FailedLine what={texts.suggestionsFailed} failure={failure} query={{ isFetching: isRetrying, refetch: retry }} />
  )
}

/** The source of a suggestion, linked to its entity if there is one. */
function Source({ desk, language, suggestion }: { desk: Desk; language: string; suggestion: Offered }) {
  const { origin, source, url, entityId } = suggestion
  const texts = workTexts.use()
  const locale = useLanguage()
  const converted = source === language ? texts.inOneScript : texts.converted(languageName(source, locale))
  const label = origin === 'converted' ? converted : texts.from[origin](source)
  if (entityId)
    return (
      <Link to={screenOf(desk.area.kind, entityId)} className={css.source}>
        {label}
      </Link>
    )
  if (url)
    return (
      <a href={url} target="_blank" rel="noreferrer" className={css.source}>
        {label}
      </a>
    )
  return <span className={css.source}>{label}</span>
}

/** If a model is configured, a button that asks it for the text and adds its answer as a suggestion. */
function AskModel({ desk, entry }: { desk: Desk; entry: Entry }) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const status = useAiStatus()
  /** The ids of the entries that the model is being asked about. */
  const [asking, setAsking] = useState<readonly string[]>([])
  const running = useRef(new Set<AbortController>())
  useEffect(() => () => running.current.forEach((control) => control.abort()), [])
  const isAsking = asking.includes(entry.id)
  if (!status) return <AiStatusFailure />
  if (status.provider !== 'model') return null
  const ask = async () => {
    setAsking((before) => [...before, entry.id])
    const control = new AbortController()
    running.current.add(control)
    const language = desk.languageIn(entry)
    /** A message, with the name of the entry if another is shown. */
    const about = (message: string) => {
      const name = desk.get().current === entry.id ? undefined : entry.entity && desk.area.nameOf(entry.entity, locale)
      return name ? texts.about(name.text, message) : message
    }
    const { translations } = withText(entry.entity ?? {}, language, desk.task, '')
    try {
      for await (const { answer } of enhancement(translations, control.signal)) {
        const text = (answer?.result?.[language] as Record<string, string> | undefined)?.[desk.task.field]
        if (text)
          desk.offer(entry.id, {
            text,
            origin: 'ai',
            source: status.model,
            ...(answer?.run && { run: answer.run._id }),
          })
        else if (answer) toast.info(about(texts.aiNothing))
      }
    } catch (error) {
      if (!control.signal.aborted) toastFailure(about(texts.aiFailed), error)
    } finally {
      running.current.delete(control)
      setAsking((before) => before.filter((id) => id !== entry.id))
    }
  }
  return (
    <Button
      size="small"
      icon={Sparkles}
      busy={isAsking}
      reason={status.reason && localized(status.reason)}
      onClick={() => void ask()}
    >
      {isAsking ? texts.asking : texts.ask(status.model)}
    </Button>
  )
}
