import type { Cover as AnyCover } from '@mokuroku/contract/common'
import { kindOf } from '@mokuroku/contract/kinds'
import type { output } from 'zod/mini'
import { Cover } from '#parts/Cover.tsx'
import { useLabels, type Words } from '#parts/labels.ts'
import { Row, Truncate } from '#ui/layout.tsx'
import type { Area, Stored } from './area.ts'
import css from './EntityHead.module.css'
import { useArea } from './useArea.ts'

/** Header of an editor: the entity's cover, name, type and year, as far as its kind has them. */
export function EntityHead({ area, entity }: { area: Area; entity: Stored }) {
  const { nameOf } = useArea(area)
  const { values = {} }: Words = useLabels()[area.kind]
  const { text, lang } = nameOf(entity)
  const fields = entity as Stored & Readonly<Record<string, unknown>>
  const types = Object.entries(values).map(([name, words]) => words[String(fields[name])])
  const { dateField = '' } = kindOf(area.kind)
  const date = fields[dateField]
  return (
    <Row as="span" gap={2}>
      {'cover' in fields && <Cover cover={fields.cover as output<typeof AnyCover>} entity={fields} size="row" />}
      <Truncate className={css.name} lang={lang}>
        {text}
      </Truncate>
      <span className={css.facts}>
        {[types[0], typeof date === 'string' && date.slice(0, 4)].filter(Boolean).join(' · ')}
      </span>
    </Row>
  )
}
