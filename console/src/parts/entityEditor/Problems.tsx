import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import type { Span } from '#parts/jsonEditor/place.ts'
import { Row } from '#ui/layout.tsx'
import css from './Problems.module.css'
import { editorTexts } from './texts.ts'

export interface Problem extends Span {
  /** Path of the affected value in the document. */
  place: readonly PropertyKey[]
  /** Text in the list: 'path: message'. */
  line: string
  /** Text at the value itself. */
  message: string
  /** Whether it is only a warning, which does not prevent saving. */
  isWarning?: true
}

interface Props {
  id: string
  /** Empty if there are no problems. */
  title: string
  problems: readonly Problem[]
  /** Number of failed attempts to save; the list is announced again after each. */
  tried?: number
  /** Names a field by its path, for lines that name it as the form does. */
  nameOf?: ((path: string) => string) | undefined
  /** Whether these are warnings, which do not prevent saving. */
  warns?: true
  onShow: (problem: Problem) => void
}

/** A list of errors, which prevent saving, or of findings. Each line leads to its place in the text. */
export function Problems({ id, title, problems, tried = 0, nameOf, warns, onShow }: Props) {
  const { problemOf } = editorTexts.use()
  const list = useRef<HTMLDivElement>(null)
  // Before the form, in an effect, scrolls to the field that it focuses.
  useLayoutEffect(() => {
    if (tried > 0) list.current?.scrollIntoView({ block: 'nearest' })
  }, [tried])
  return (
    <div id={id} ref={list} className={warns ? css.warnings : css.problems} hidden={!title}>
      <div key={tried} role={tried > 0 ? 'alert' : undefined}>
        <Row as="p" gap={2} className={css.title}>
          {warns ? <TriangleAlert size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
          {title}
        </Row>
        <ul>
          {problems.map((problem, index) => (
            <li key={index}>
              <button type="button" className={css.line} onClick={() => onShow(problem)}>
                {nameOf ? problemOf(nameOf(problem.place.map(String).join('.')), problem.message) : problem.line}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
