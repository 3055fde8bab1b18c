import type { Translated } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { screenOf } from '#lib/areas.ts'
import type { Text, Translations } from '#lib/text.ts'
import { Cover } from '#parts/Cover.tsx'
import { LanguageMarks } from '#parts/marks/LanguageMarks.tsx'
import { original } from '#parts/titles.ts'
import { Row } from '#ui/layout.tsx'
import css from './listColumns.module.css'

interface Props {
  kind: Translated
  row: {
    _id: string
    translations: Translations
    originalName?: string | undefined
    cover?: ComponentProps<typeof Cover>['cover']
  }
  name: Text
  /** Shown before the name, for kinds without covers. */
  mark?: ReactNode
}

/** First cell of a table row: cover, name, original name and languages. */
export function NameCell({ kind, row, name, mark }: Props) {
  const published = original(row.originalName, name)
  return (
    <Row as="span" gap={3}>
      {row.cover === undefined ? mark : <Cover cover={row.cover} entity={row} size="row" says />}
      <span className={css.names}>
        <Link to={screenOf(kind, row._id)} className={css.title} lang={name.lang} title={name.text}>
          {name.text}
        </Link>
        <Row as="span" align="stretch" wrap className={css.below}>
          {published && <span lang={published.lang}>{published.text}</span>}
          <LanguageMarks kind={kind} row={row} />
        </Row>
      </span>
    </Row>
  )
}
