import { changedPaths, type Document, withPaths } from '@mokuroku/contract/merge'
import { SelectedMedia } from '@mokuroku/contract/selection'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { textOf, readText } from '#lib/editorText.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { problemsOf } from '#parts/entityEditor/check.ts'
import { Problems } from '#parts/entityEditor/Problems.tsx'
import { JsonEditor, type JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import { searchIds } from '#parts/jsonEditor/searchIds.ts'
import { useEditorLanguages } from '#parts/useLanguages.ts'
import { MEDIA_LINKS } from '../mediaLinks.ts'
import type { Selected } from './fields.ts'
import { compareTexts } from './texts.ts'
import { editorTexts } from '#parts/entityEditor/texts.ts'

const { assets, characters, relatedMedia } = MEDIA_LINKS
/** Without tags and the cover: here these may be names and URLs instead of ids. */
const LINKS = { assets, characters, relatedMedia }
/** Height of the editor in pixels. */
const HEIGHT = 500

interface Props {
  selected: Selected
  /** Called with the parsed text, as long as it is valid. */
  onChange: (next: Selected) => void
  onWrong: (wrong: boolean) => void
}

/**
 * The selected data as JSON, synchronized both ways with the fields above. What is selected there while the text is
 * invalid is added to it once it is valid.
 */
export function SelectedJson({ selected, onChange, onWrong }: Props) {
  const texts = editorTexts.use()
  const language = useLanguage()
  const languages = useEditorLanguages()
  const [start] = useState(() => textOf(selected))
  const [text, setText] = useState(start)
  const [names] = useState(() => entryNames(language))
  const editor = useRef<JsonEditorHandle<undefined>>(null)
  const rested = useDebounced(text)
  const { title, problems } = useMemo(
    () => problemsOf(rested, readText(rested, SelectedMedia), [], texts),
    [rested, texts],
  )
  /** The text last exchanged with the parent, to avoid replacing the text with the editor's own changes. */
  const lastText = useRef(start)
  /** Whether something was selected while the text was invalid. */
  const missed = useRef(false)

  // Not debounced, so that a save has everything that was typed.
  const isRead = useMemo(() => readText(text, SelectedMedia).state === 'read', [text])
  const report = useEffectEvent((now: string, isValid: boolean) => {
    onWrong(!isValid)
    if (!isValid || (now === lastText.current && !missed.current)) return
    const next = missed.current ? withSelected(lastText.current, now, selected) : now
    missed.current = false
    lastText.current = next
    if (next !== now) editor.current?.replace(next, undefined)
    onChange(JSON.parse(next) as Selected)
  })
  useEffect(() => report(text, isRead), [text, isRead])
  const follow = useEffectEvent((next: string) => {
    missed.current = !isRead && !isSame(next, lastText.current)
    if (missed.current || isSame(next, lastText.current)) return
    lastText.current = next
    editor.current?.replace(next, undefined)
  })
  useEffect(() => follow(textOf(selected)), [selected])

  return (
    <div>
      <JsonEditor
        ref={editor}
        label={compareTexts.use().json}
        describedBy="selected-problems"
        text={start}
        origin={undefined}
        onChange={setText}
        problems={rested === text ? problems : []}
        readOnly={false}
        schema={SelectedMedia}
        names={names}
        links={LINKS}
        openNames={languages}
        search={searchIds(language)}
        phrases={texts.phrases}
        height={HEIGHT}
      />
      <Problems
        id="selected-problems"
        title={title}
        problems={problems}
        tried={0}
        onShow={(at) => editor.current?.show(at)}
      />
    </div>
  )
}

/** The typed text with what was selected since `before`; where both changed the same value, the typed one. */
function withSelected(before: string, typed: string, selected: Selected): string {
  const [from, mine] = [JSON.parse(before) as Document, JSON.parse(typed) as Document]
  const own = new Set(changedPaths(from, mine))
  const paths = changedPaths(from, selected).filter((path) => !own.has(path))
  return paths.length > 0 ? textOf(withPaths(mine, selected, paths) ?? mine) : typed
}

function isSame(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}
