import { Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { enumerated } from '#lib/text.ts'
import { LeaveGuard } from '#parts/entityEditor/LeaveGuard.tsx'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { filterTexts } from '#parts/filters/texts.ts'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Muted } from '#ui/layout.tsx'
import { useShortcut } from '#ui/useShortcut.ts'
import { useSettingsRefusal } from './rights.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'
import type { Conflict, SectionState } from './useSection.ts'

interface Props {
  title: string
  hint?: string
  section: SectionState
  /** Puts a value into words for a conflict, if it is not shown as it is stored. */
  inWords?: ((value: number) => string) | undefined
  /** Additional buttons beside Save. */
  actions?: ReactNode
  /** Their result. */
  result?: ReactNode
  children: ReactNode
}

/** Form for the settings of one section, which are saved together. */
export function SectionForm({ title, hint, section, inWords, actions, result, children }: Props) {
  const texts = area.use()
  const { common } = useMessages()
  const refusal = useSettingsRefusal()
  const form = useRef<HTMLFormElement>(null)
  useShortcut('mod+s', () => form.current?.requestSubmit())
  const reason = refusal ?? (section.changed ? undefined : common.unchanged)
  return (
    <Card title={title}>
      <form
        ref={form}
        noValidate
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          section.save()
        }}
      >
        <LeaveGuard unsaved={() => section.changed} question={texts.leave} />
        {hint && <p className={css.hint}>{hint}</p>}
        {section.conflicts.length > 0 && <Conflicts section={section} inWords={inWords} />}
        {children}
        {result}
        <footer className={css.footer}>
          <Button type="submit" variant="primary" busy={section.busy} reason={reason}>
            {section.busy ? texts.saving : texts.save}
          </Button>
          {section.changed && (
            <Button variant="quiet" onClick={section.discard}>
              {texts.discard}
            </Button>
          )}
          {actions}
          <Muted className={css.state} role="status">
            {section.changed && texts.unsaved}
          </Muted>
        </footer>
      </form>
    </Card>
  )
}

/** Conflicts: what somebody else, or the user in another window, has saved in the meantime, and the unsaved change. */
function Conflicts({ section, inWords }: Pick<Props, 'section' | 'inWords'>) {
  const { names, stale } = area.use()
  const words = section.isOwn ? stale.own : stale
  const { conflicts } = section
  const list = useRef<HTMLUListElement>(null)
  // Save is below the fields, which may be higher than the window.
  useEffect(() => {
    if (conflicts.length > 0) list.current?.scrollIntoView({ block: 'center' })
  }, [conflicts])
  return (
    <Notice icon={Users} title={words.title} hint={words.hint}>
      <ul ref={list} className={css.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict.name}>
            <Sides {...conflict} words={words} inWords={inWords} />
            <Button size="small" onClick={() => section.take(conflict.name)}>
              {words.take(names[conflict.name] ?? conflict.name)}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

interface SidesProps extends Conflict, Pick<Props, 'inWords'> {
  words: Record<'theirs' | 'mine', string>
}

function Sides({ name, theirs, mine, words, inWords }: SidesProps) {
  const { names } = area.use()
  const say = useFormatValues(name, inWords)
  return (
    <dl className={css.sides}>
      <dt className={css.conflict}>{names[name] ?? name}</dt>
      <dd>
        {words.theirs}
        <strong>{say(theirs)}</strong>
      </dd>
      <dd>
        {words.mine}
        <strong>{say(mine)}</strong>
      </dd>
    </dl>
  )
}

/** Formats a setting's values: languages by their names. */
function useFormatValues(name: string, inWords: Props['inWords']) {
  const { none } = area.use()
  const language = useLanguage()
  const { findings } = filterTexts.use()
  const isLanguage = name === 'languages' || name === 'defaultLanguage'
  const shown = (value: string): string => {
    if (inWords) return inWords(Number(value))
    if (isLanguage) return languageName(value, language)
    return name === 'findings' ? (Object.entries(findings).find(([code]) => code === value)?.[1] ?? value) : value
  }
  return (values: string[]): string => enumerated(values.map(shown), language) || none
}
