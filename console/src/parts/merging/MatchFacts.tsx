import type { Cover as AnyCover } from '@mokuroku/contract/common'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import type * as z from 'zod/mini'
import { useLanguage } from '#i18n/messages.ts'
import { translated, type Translations } from '#lib/text.ts'
import type { Stored } from '#parts/area/area.ts'
import { Cover } from '#parts/Cover.tsx'
import { original } from '#parts/titles.ts'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { Muted, Row, Truncate } from '#ui/layout.tsx'
import { mergeTexts } from './texts.ts'

/** A possible duplicate in a list: cover, title, type and year. */
export function MatchFacts({ kind, entity }: { kind: Translated; entity: Stored }) {
  const texts = mergeTexts.use()
  const names: Readonly<Record<string, string>> = { ...mediaTypes.use(), ...tagTypes.use() }
  const language = useLanguage()
  const { title = '', original: published = '' } = kindOf(kind).texts ?? {}
  const {
    mediaType,
    type,
    releaseDate,
    [published]: first,
    ...rest
  } = entity as object as Partial<Record<string, string>>
  const { translations = {} } = rest as { translations?: Translations }
  const name = translated(translations, title, language) ?? original(first)
  const facts = [mediaType ?? type, releaseDate?.slice(0, 4)].flatMap((fact) => (fact ? [names[fact] ?? fact] : []))
  return (
    <Row as="span" gap={3}>
      {'cover' in entity && <Cover cover={entity.cover as z.output<typeof AnyCover>} entity={entity} size="row" />}
      <Row as="span" gap={2} wrap>
        <Truncate lang={name?.lang}>{name?.text ?? texts.untitled}</Truncate>
        {facts.length > 0 && <Muted>{facts.join(' · ')}</Muted>}
      </Row>
    </Row>
  )
}
