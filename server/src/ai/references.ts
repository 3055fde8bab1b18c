import type { SuggestedTexts } from '@mokuroku/contract/suggestion'
import { characters } from '#store/characters'
import { search } from '#store/search'
import { tags } from '#store/tags'
import { inLanguages } from './languages.ts'
import type { References, Texts } from './providers/provider.ts'
import { bangumi } from './sources/bangumi.ts'
import { catalogue } from './sources/catalogue.ts'
import { mergeWorks } from './sources/merge.ts'

/** Maximum number of an entity's texts that are looked up. */
const MAX_REFERENCES = 6
const NOTHING: References = { texts: {}, sources: [] }

/**
 * What the reference data and this catalogue know about an entity with these texts: titles or names, under the language
 * tags that it uses. Only exact matches count.
 */
export async function findReferences(texts: Texts, languages: string[]): Promise<References> {
  const used = [...Object.keys(texts), ...languages]
  const titles = textsOf(texts, 'title')
  if (titles.length > 0) return findWork(titles, texts, used)
  return findName(textsOf(texts, 'name'), texts, used)
}

/** Whether any source knows the entity. */
export const isKnown = ({ texts }: References): boolean => Object.keys(texts).length > 0

const addsNothing = (found: SuggestedTexts, given: Texts): boolean =>
  Object.entries(found).every(([tag, texts]) =>
    Object.entries(texts).every(([field, text]) => !text || text === given[tag]?.[field]),
  )

const textsOf = (texts: Texts, field: string): string[] =>
  [...new Set(Object.values(texts).map((each) => each[field]?.trim() ?? ''))].filter(Boolean).slice(0, MAX_REFERENCES)

async function findWork(titles: string[], given: Texts, used: string[]): Promise<References> {
  for (const source of [bangumi, catalogue]) {
    const works = await source.named(titles)
    for (const title of titles) {
      const merged = await mergeWorks(title, works, used)
      if (!merged?.isExact) continue
      const agreeing = titles.filter((each) => search.spellings(each).some((form) => merged.spellings.has(form)))
      // Several works have this title, so a second matching title must decide which one is meant.
      if (merged.others.length > 0 && agreeing.length < 2) continue
      const found: SuggestedTexts = {}
      for (const [tag, { title: text }] of Object.entries(merged.suggestion.translations))
        if (text) found[tag] = { title: text }
      // A catalogue entry that adds nothing may be the very entity that is being looked up.
      if (source === catalogue && addsNothing(found, given)) continue
      return { texts: found, sources: merged.sources }
    }
  }
  return NOTHING
}

/** For a character or a tag: the names of another entity with the same name. */
async function findName(names: string[], given: Texts, used: string[]): Promise<References> {
  for (const name of names) {
    const [tag, character] = await Promise.all([search.find('Tag', name, 1), search.find('Character', name, 1)])
    const exact = ({ matches: [match] }: typeof tag) => (match?.kind === 'exact' ? match.entityId : undefined)
    const [tagId, characterId] = [exact(tag), exact(character)]
    const found = tagId
      ? (await tags.refs([tagId])).get(tagId)
      : characterId && (await characters.byIds([characterId]))[0]
    if (!found) continue
    const texts: SuggestedTexts = {}
    for (const [language, { name: text }] of Object.entries(found.translations))
      if (text) texts[inLanguages(language, used)] = { name: text }
    if (!addsNothing(texts, given)) return { texts, sources: [{ name: catalogue.name }] }
  }
  return NOTHING
}
