import type { Character } from '@mokuroku/contract/characters'
import { useLanguage } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { Aliases } from '#parts/Aliases.tsx'
import { capital, useLabels } from '#parts/labels.ts'
import { Languages } from '#parts/Languages.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted } from '#ui/layout.tsx'
import { characterTexts } from './texts.ts'

export function CharacterFacts({ character }: { character: Character }) {
  const { detail: texts } = characterTexts.use()
  const language = useLanguage()
  const { fields: labels } = useLabels().Character
  const { originalName, tags, createdAt, updatedAt } = character
  const published = original(originalName)
  return (
    <Card title={texts.details}>
      <Languages {...character} field="name" texts={texts} />
      <Facts apart>
        {published && (
          <Fact name={capital(labels.originalName)}>
            <span lang={published.lang}>{published.text}</span>
          </Fact>
        )}
        <Aliases names={character.aliases} label={capital(labels.aliases)} />
        <Fact name={texts.created}>{longDate(createdAt, language)}</Fact>
        <Fact name={texts.updated}>{longDate(updatedAt, language)}</Fact>
        <Fact name={capital(labels.tags)} wide>
          {tags.length === 0 && <Muted inline>{texts.noTags}</Muted>}
          {tags.map((tag) => (
            <TagChip key={tag._id} tag={tag} leadsTo="Character" />
          ))}
        </Fact>
      </Facts>
    </Card>
  )
}
