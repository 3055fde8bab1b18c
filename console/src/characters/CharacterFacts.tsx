import type { Character } from '@mokuroku/contract/characters'
import type { ReactNode } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { languagesOf, translated } from '#lib/text.ts'
import { TagChip } from '#parts/TagChip.tsx'
import { languageName, original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import css from './CharacterDetail.module.css'

export function CharacterFacts({ character }: { character: Character }) {
  const { detail: texts } = useMessages().characters
  const language = useLanguage()
  const { originalName, tags, createdAt, updatedAt } = character
  const published = original(originalName)
  return (
    <Card title={texts.details}>
      <Languages {...character} />
      <dl className={css.facts}>
        {published && (
          <Fact name={texts.originalName}>
            <span lang={published.lang}>{published.text}</span>
          </Fact>
        )}
        <Fact name={texts.created}>{longDate(createdAt, language)}</Fact>
        <Fact name={texts.updated}>{longDate(updatedAt, language)}</Fact>
        <Fact name={texts.tags} wide>
          {tags.length === 0 && <span className={css.quiet}>{texts.noTags}</span>}
          {tags.map((tag) => (
            <TagChip key={tag._id} tag={tag} />
          ))}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? css.wide : undefined}>
      <dt className={css.term}>{name}</dt>
      <dd className={css.value}>{children}</dd>
    </div>
  )
}

/** Every language in which there is a text, one at a time; the console's own first. */
function Languages({ translations }: Pick<Character, 'translations'>) {
  const { detail: texts } = useMessages().characters
  const language = useLanguage()
  const codes = languagesOf(translations)
  if (codes.length === 0) return <p className={css.quiet}>{texts.noTexts}</p>
  const tabs = codes.map((code) => ({
    key: code,
    label: languageName(code, language),
    panel: (
      <div lang={code} className={css.text}>
        <p className={css.textName}>{translations[code]?.name}</p>
        {translations[code]?.description ? (
          <p className={css.description}>{translations[code].description}</p>
        ) : (
          <p className={css.quiet} lang={language}>
            {texts.noDescription}
          </p>
        )}
      </div>
    ),
  }))
  const first = translated(translations, 'name', language) ?? translated(translations, 'description', language)
  return <Tabs label={texts.languages} tabs={tabs} first={first?.lang} />
}
