import { useMemo, useState } from 'react'
import { areaTexts } from '#i18n/messages.ts'
import { excerpt, type Part, wordDiff } from '#lib/wordDiff.ts'
import css from './WordDiff.module.css'

const texts = areaTexts(
  { all: 'Show all', less: 'Show less', nothing: 'nothing' },
  { all: '显示全部', less: '收起', nothing: '空' },
)

interface Props {
  before: string
  after: string
  /** Language of the texts. */
  lang: string | undefined
  /** Whether screen readers do not read what was removed. */
  hidesOld?: boolean
  /** Shows only the changes and their context, until the user expands it. */
  short?: boolean
}

/** Word diff of two texts: removed words are struck out, added words are underlined. */
export function WordDiff({ before, after, lang, short, hidesOld }: Props) {
  const { all, less, nothing } = texts.use()
  const [isOpen, setOpen] = useState(false)
  const parts = useMemo(() => wordDiff(before, after, lang), [before, after, lang])
  const cut = useMemo(() => excerpt(parts), [parts])
  if (parts.length === 0) return <p className={css.nothing}>{nothing}</p>
  return (
    <>
      <p className={css.text} lang={lang}>
        <Parts parts={short && !isOpen ? cut.parts : parts} hidesOld={hidesOld} />
      </p>
      {short && !cut.isWhole && (
        <button type="button" className={css.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? less : all}
        </button>
      )}
    </>
  )
}

const Parts = ({ parts, hidesOld }: { parts: readonly Part[] } & Pick<Props, 'hidesOld'>) =>
  parts.map(({ text, kind }, index) =>
    kind === 'same' ? (
      text
    ) : kind === 'new' ? (
      <ins key={index} className={css.new}>
        {text}
      </ins>
    ) : (
      <del key={index} className={css.old} aria-hidden={hidesOld}>
        {text}
      </del>
    ),
  )
