import type { AiRun } from '@mokuroku/contract/provenance'
import { CircleStop, RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { enumerated } from '#lib/text.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import css from './AiStream.module.css'
import { withoutFences } from './fences.ts'
import { aiTexts } from './texts.ts'
import type { AiState } from './useAiStream.ts'

interface Props<Result> {
  /** Heading: 'Source 1'. */
  label: string
  /** The provider. */
  by?: ReactNode
  now: AiState<Result>
  /** Why a complete answer cannot be used, if its text does not say so. */
  lacking?: string | undefined
  onStop: () => void
  onRetry: () => void
  children?: ReactNode
}

const TONES: Record<Exclude<AiState<unknown>['state'], 'idle'>, Tone> = {
  running: 'accent',
  done: 'success',
  failed: 'danger',
  stopped: 'neutral',
}

/** A streamed answer and its state. Rendered as plain text, so that markup in it has no effect. */
export function AiStream<Result>({ label, by, now, lacking, onStop, onRetry, children }: Props<Result>) {
  const texts = aiTexts.use()
  const id = useId()
  const { state } = now
  const text = withoutFences(now.text)
  const box = useBottom(text)
  const unavailable = (state === 'done' && now.answer.unavailable) || []
  const without = unavailable.map(({ name }) => name)
  const isPartial = without.length > 0 || lacking !== undefined
  return (
    <Stack as="section" gap={2} className={css.stream} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id} className={css.label}>
          {label}
        </h2>
        {by && <span className={css.by}>{by}</span>}
        <span className={css.state} role="status">
          {state !== 'idle' && (
            <Badge tone={isPartial ? 'warning' : TONES[state]}>
              {without.length > 0 ? texts.doneWithout(without) : texts.states[state]}
            </Badge>
          )}
        </span>
        {state === 'running' && <Elapsed />}
        {state === 'running' && (
          <Button size="small" icon={CircleStop} onClick={onStop}>
            {texts.stop}
          </Button>
        )}
        {(state === 'failed' || state === 'stopped' || isPartial) && (
          <Button size="small" icon={RotateCcw} onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
      </header>
      {isPartial && (
        <ul className={css.partial}>
          {lacking && <li>{lacking}</li>}
          {unavailable.map((source) => (
            <li key={source.name}>{texts.unavailable(source)}</li>
          ))}
        </ul>
      )}
      <textarea
        ref={box}
        readOnly
        aria-label={label}
        aria-busy={state === 'running'}
        className={css.text}
        value={text}
        placeholder={state === 'running' ? texts.waiting : state === 'idle' ? texts.idle : ''}
      />
      {state === 'failed' && (
        <Row as="p" role="alert" align="stretch" wrap className={css.failed}>
          <strong>{now.title}</strong>
          {now.hint && now.hint !== now.title && <span>{now.hint}</span>}
        </Row>
      )}
      {state === 'done' && (
        <>
          {now.answer.problem && <p className={css.problem}>{now.answer.problem}</p>}
          {now.answer.run && <Origin run={now.answer.run} />}
        </>
      )}
      {children}
    </Stack>
  )
}

/** The origin of an answer: a model or reference data, the sources with their licences, its duration and its cost. */
function Origin({ run }: { run: AiRun }) {
  const texts = aiTexts.use()
  const language = useLanguage()
  const tokens = run.inputTokens + run.outputTokens
  return (
    <p className={css.origin}>
      <span>{run.provider === 'reference' ? texts.reference : run.model}</span>
      {run.sources.length > 0 && (
        <span>
          {texts.from}{' '}
          {enumerated(
            run.sources.map((source) => credit(source, texts.sourceName)),
            language,
          )}
        </span>
      )}
      <span>{texts.seconds(Math.round(run.milliseconds / 100) / 10)}</span>
      {tokens > 0 && <span>{texts.tokens(tokens, run.isEstimate)}</span>}
    </p>
  )
}

function Elapsed() {
  const { seconds } = aiTexts.use()
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const since = Date.now()
    const timer = setInterval(() => setElapsed(Math.floor((Date.now() - since) / 1000)), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={css.elapsed} aria-hidden>
      {seconds(elapsed)}
    </span>
  )
}

/** Scrolls to the newest text, unless the user has scrolled up. */
function useBottom(text: string) {
  const box = useRef<HTMLTextAreaElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    const area = box.current
    if (!area) return
    const onScroll = () => void (follows.current = area.scrollTop + area.clientHeight >= area.scrollHeight - 24)
    area.addEventListener('scroll', onScroll)
    return () => area.removeEventListener('scroll', onScroll)
  }, [])
  useEffect(() => {
    const area = box.current
    if (text === '') follows.current = true
    if (area && follows.current) area.scrollTop = area.scrollHeight
  }, [text])
  return box
}

const credit = ({ name, licence }: AiRun['sources'][number], nameOf: (name: string) => string): string =>
  licence ? `${name} (${licence})` : nameOf(name)
