import { missingLanguages } from '@mokuroku/contract/languages'
import type { AiRun } from '@mokuroku/contract/provenance'
import { extractJson, SuggestedTexts } from '@mokuroku/contract/suggestion'
import { Plus, Sparkles, X } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { areaTexts, useLanguage } from '#i18n/messages.ts'
import { languageName } from '#parts/titles.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { AiStream } from './AiStream.tsx'
import { acceptable, acceptedTexts, cellsOf } from './cells.ts'
import { CellChoices } from './CellChoices.tsx'
import css from './Enhance.module.css'
import { enhancement } from './streams.ts'
import { aiTexts } from './texts.ts'
import { useAiStream } from './useAiStream.ts'

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
  /** What is sent: the texts as they were when it was asked for. */
  start: Texts
  /** The texts as the editor has them now, by language and field. */
  translations: Texts
  /** Languages that the catalogue is kept in: the missing ones are offered. */
  languages: readonly string[]
  /** Puts the accepted texts into the editor; false when it cannot take them now. */
  onMerge: (texts: Texts, run: AiRun | undefined) => boolean
  onClose: () => void
}

/** Asks AI for better and missing translations, shows the answer as it comes, and merges what is accepted. */
export function Enhance({ start: first, translations, languages, onMerge, onClose }: Props) {
  const texts = enhanceTexts.use()
  const { failed, unknown, nothingToAdd } = aiTexts.use()
  const language = useLanguage()
  const { now, start, stop } = useAiStream<Texts>({
    read,
    failure: (_, text) => (text ? enhanceTexts.now().failed : failed),
  })
  const [asked, setAsked] = useState(first)
  const run = (wanted: Texts) => {
    setAsked(wanted)
    void start((signal) => enhancement(wanted, signal))
  }
  const begin = useEffectEvent(() => run(asked))
  useEffect(() => {
    const timer = setTimeout(begin)
    return () => clearTimeout(timer)
  }, [])

  const result = now.state === 'done' ? now.answer.result : undefined
  const cells = useMemo(() => (result ? cellsOf(translations, result) : []), [result, translations])
  const [chosen, setChosen] = useState<{ of: Texts | null | undefined; keys: ReadonlySet<string> }>()
  const accepted = chosen?.of === result && chosen ? chosen.keys : acceptable(cells)
  const merged = acceptedTexts(cells, accepted)
  const count = Object.values(merged).reduce((sum, fields) => sum + Object.keys(fields).length, 0)
  // Reference data that has nothing to propose has not failed: it knows nothing about this, or no more than is there.
  const isUseless = now.state === 'done' && !result && (now.answer.run?.provider === 'model' || !!now.answer.problem)
  const isUnknown = now.state === 'done' && !result && !isUseless && !now.answer.isKnown
  const missing = missingLanguages(languages, Object.keys(asked))
  const addLanguage = (tag: string) => {
    const fields = Object.keys(Object.values(asked)[0] ?? {})
    run({ ...asked, [tag]: Object.fromEntries(fields.map((field) => [field, ''])) })
  }
  const merge = () => {
    if (onMerge(merged, now.state === 'done' ? now.answer.run : undefined)) toast.success(texts.merged)
  }

  return (
    <div className={css.enhance}>
      <AiStream
        label={texts.title}
        now={now}
        lacking={isUnknown ? unknown : undefined}
        onStop={stop}
        onRetry={() => run(asked)}
      >
        {now.state === 'done' && (
          <>
            {result && cells.length > 0 && (
              <CellChoices
                label={texts.proposal}
                cells={cells}
                accepted={accepted}
                onAccept={(keys) => setChosen({ of: result, keys })}
              />
            )}
            {isUseless ? (
              <p role="alert" className={css.failed}>
                {texts.failed}
              </p>
            ) : (
              !result && !isUnknown && <p className={css.nothing}>{nothingToAdd}</p>
            )}
          </>
        )}
        {now.state !== 'running' && (
          <div className={css.footer}>
            {missing.length > 0 && (
              <div className={css.languages} role="group" aria-label={texts.also}>
                <span className={css.also} aria-hidden>
                  {texts.also}
                </span>
                {missing.map((tag) => (
                  <Button key={tag} size="small" icon={Plus} onClick={() => addLanguage(tag)}>
                    {languageName(tag, language)}
                  </Button>
                ))}
              </div>
            )}
            {result && cells.length > 0 && (
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

function read(text: string): Texts | undefined {
  const parsed = z.safeParse(SuggestedTexts, extractJson(text))
  return parsed.success ? parsed.data : undefined
}
