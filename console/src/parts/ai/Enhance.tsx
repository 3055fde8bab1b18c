import { missingLanguages } from '@mokuroku/contract/languageTags'
import type { AiRun } from '@mokuroku/contract/provenance'
import { extractJson, SuggestedTexts } from '@mokuroku/contract/suggestion'
import { Plus, Sparkles, X } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { areaTexts, useLanguage } from '#i18n/messages.ts'
import { languageName } from '#parts/titles.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { AiStream } from './AiStream.tsx'
import { acceptable, acceptedTexts, cellsOf } from './cells.ts'
import { CellChoices } from './CellChoices.tsx'
import css from './Enhance.module.css'
import { enhancement } from './streams.ts'
import { aiTexts } from './texts.ts'
import { type AiState, useAiStream } from './useAiStream.ts'

const enhanceTexts = areaTexts(
  {
    title: 'AI response',
    failed: 'Failed to enhance translations',
    merge: (count: number) => (count === 1 ? 'Merge 1 text' : `Merge ${count} texts`),
    choose: 'Accept at least one text first.',
    merged: 'Translations enhanced successfully',
    also: 'Also translate into',
    close: 'Close the AI response',
    proposal: 'Proposed translations',
  },
  {
    title: 'AI 回答',
    failed: '完善翻译失败',
    merge: (count: number) => `合并 ${count} 条文本`,
    choose: '请先采纳至少一条文本。',
    merged: '翻译已完善',
    also: '同时译为',
    close: '关闭 AI 回答',
    proposal: '建议的翻译',
  },
)

type Texts = Record<string, Record<string, string>>

interface Props {
  /** The texts to send: as they were when AI was opened. */
  start: Texts
  /** The current texts in the editor, by language and field. */
  translations: Texts
  /** Languages used in the catalogue; those that are missing are offered. */
  languages: readonly string[]
  /** Merges the accepted texts into the editor; returns false if it cannot take them now. */
  onMerge: (texts: Texts, run: AiRun | undefined) => boolean
  onClose: () => void
}

/** Asks AI to improve texts and add missing translations, streams the answer, and merges what the user accepts. */
export function Enhance({ start, translations, languages, onMerge, onClose }: Props) {
  const texts = enhanceTexts.use()
  const { unknown } = aiTexts.use()
  const { now, stop, sent, ask } = useEnhancement(start)
  const result = now.state === 'done' ? now.answer.result : undefined
  const cells = useMemo(() => (result ? cellsOf(translations, result) : []), [result, translations])
  const [chosen, setChosen] = useState<{ result: Texts | null | undefined; keys: ReadonlySet<string> }>()
  const accepted = chosen?.result === result && chosen ? chosen.keys : acceptable(cells)
  const merged = acceptedTexts(cells, accepted)
  const count = Object.values(merged).reduce((sum, fields) => sum + Object.keys(fields).length, 0)
  const missing = missingLanguages(languages, Object.keys(sent))
  const merge = () => {
    if (onMerge(merged, now.state === 'done' ? now.answer.run : undefined)) toast.success(texts.merged)
  }

  return (
    <div className={css.enhance}>
      <AiStream
        label={texts.title}
        now={now}
        lacking={outcomeOf(now) === 'unknown' ? unknown : undefined}
        onStop={stop}
        onRetry={() => ask(sent)}
      >
        {cells.length > 0 && (
          <CellChoices
            label={texts.proposal}
            cells={cells}
            accepted={accepted}
            onAccept={(keys) => setChosen({ result, keys })}
          />
        )}
        <Outcome now={now} />
        {now.state !== 'running' && (
          <div className={css.footer}>
            {missing.length > 0 && <MissingLanguages tags={missing} onAdd={(tag) => ask(withLanguage(sent, tag))} />}
            {cells.length > 0 && (
              <Button variant="primary" icon={Sparkles} reason={count === 0 ? texts.choose : undefined} onClick={merge}>
                {texts.merge(count)}
              </Button>
            )}
          </div>
        )}
      </AiStream>
      <IconButton className={css.close} size="small" icon={X} label={texts.close} onClick={onClose} />
    </div>
  )
}

/** Sends texts to AI and follows the answer; `first` is sent immediately. */
function useEnhancement(first: Texts) {
  const { failed } = aiTexts.use()
  const { now, start, stop } = useAiStream<Texts>({
    read,
    failure: (_, text) => (text ? enhanceTexts.get().failed : failed),
  })
  const [sent, setSent] = useState(first)
  const ask = (wanted: Texts) => {
    setSent(wanted)
    void start((signal) => enhancement(wanted, signal))
  }
  const begin = useEffectEvent(() => ask(sent))
  useEffect(() => {
    const timer = setTimeout(begin)
    return () => clearTimeout(timer)
  }, [])
  return { now, stop, sent, ask }
}

/** Classifies an answer without texts. */
function outcomeOf(now: AiState<Texts>): 'useless' | 'unknown' | 'nothing' | undefined {
  if (now.state !== 'done' || now.answer.result) return undefined
  // For reference data, no proposal is not a failure: it does not know the entity, or has nothing to add.
  if (now.answer.run?.provider === 'model' || now.answer.problem) return 'useless'
  return now.answer.isKnown ? 'nothing' : 'unknown'
}

function Outcome({ now }: { now: AiState<Texts> }) {
  const { failed } = enhanceTexts.use()
  const { nothingToAdd } = aiTexts.use()
  const outcome = outcomeOf(now)
  if (outcome === 'nothing')
    return (
      <Muted as="p" inline>
        {nothingToAdd}
      </Muted>
    )
  if (outcome !== 'useless') return null
  return (
    <p role="alert" className={css.failed}>
      {failed}
    </p>
  )
}

function MissingLanguages({ tags, onAdd }: { tags: readonly string[]; onAdd: (tag: string) => void }) {
  const { also } = enhanceTexts.use()
  const language = useLanguage()
  return (
    <Row gap={2} wrap role="group" aria-label={also}>
      <Muted aria-hidden>{also}</Muted>
      {tags.map((tag) => (
        <Button key={tag} size="small" icon={Plus} onClick={() => onAdd(tag)}>
          {languageName(tag, language)}
        </Button>
      ))}
    </Row>
  )
}

/** Adds empty texts in another language, with the fields of the first language. */
function withLanguage(texts: Texts, tag: string): Texts {
  const fields = Object.keys(Object.values(texts)[0] ?? {})
  return { ...texts, [tag]: Object.fromEntries(fields.map((field) => [field, ''])) }
}

function read(text: string): Texts | undefined {
  const parsed = z.safeParse(SuggestedTexts, extractJson(text))
  return parsed.success ? parsed.data : undefined
}
