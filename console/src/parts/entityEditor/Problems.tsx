import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Span } from '#parts/jsonEditor/place.ts'
import { Row } from '#ui/layout.tsx'
import css from './Problems.module.css'

export interface Problem extends Span {
  /** What it is about, in the document. */
  place: readonly PropertyKey[]
  /** As it stands in the list: 'path: message'. */
  line: string
  /** As it stands at the wrong value. */
  message: string
  /** It keeps nothing from being saved. */
  isWarning?: true
}

interface Props {
  id: string
  /** Empty: there is no problem. */
  title: string
  problems: readonly Problem[]
  /** How often saving was tried in vain; each time it is read out again. */
  tried?: number
  /** These are warnings: they keep nothing from being saved. */
  warns?: true
  onShow: (problem: Problem) => void
}

/** Errors, which keep the text from being saved, and findings, each line leading to its place. */
export function Problems({ id, title, problems, tried = 0, warns, onShow }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
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
                {problem.line}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
