import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { NO_RECENT } from '#parts/TagPicker.tsx'
import { Translated } from '#parts/Translated.tsx'
import { IconButton } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import css from './TagReplacement.module.css'
import { tagTexts } from './texts.ts'

interface Props {
  /** Id of the tag to replace. */
  id: string
  chosen: Choice | undefined
  onChoose: (tag: Choice | undefined) => void
}

/** Chooses the tag that replaces a deleted one. */
export function TagReplacement({ id, chosen, onChoose }: Props) {
  const texts = tagTexts.use()
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const clear = () => {
    onChoose(undefined)
    requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
  }
  return (
    <Stack ref={box} gap={2} className={css.replacement}>
      <p className={css.title}>{texts.replace}</p>
      {chosen ? (
        <Row as="p" gap={2} justify="between" className={css.chosen} role="status">
          <span>
            {texts.replaceWith}{' '}
            <strong>
              <Translated translations={chosen.translations} field="name" />
            </strong>
          </span>
          <IconButton size="small" icon={X} label={texts.keepWithout} onClick={clear} ref={focused} />
        </Row>
      ) : (
        <SearchSelect
          index="tags"
          takesFirst
          without={id}
          label={texts.replaceSearch}
          placeholder={texts.replaceSearch}
          text={text}
          onText={setText}
          onChoose={(tag) => {
            setText('')
            onChoose(tag)
          }}
          {...NO_RECENT}
        />
      )}
      <Muted as="p" small>
        {texts.replaceHint}
      </Muted>
    </Stack>
  )
}

/** The button replaces the search field that had the focus. */
const focused = (button: HTMLButtonElement | null) => button?.focus()
