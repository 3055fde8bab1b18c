import { scriptOf } from '@mokuroku/contract/findings/scripts'
import { isInFamily } from '@mokuroku/contract/languageTags'
import { kindOf, kinds, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { useMe } from '#api/session.ts'
import { type Language, useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { site } from '#lib/site.ts'
import { guessLanguage } from '#lib/text.ts'
import type { Index } from '#parts/jsonEditor/idNames.ts'
import type { Choice } from '#parts/Suggestion.tsx'
import type { AreaOf } from './areaOf.ts'
import { create } from './create.ts'
import { catalogueRefusals } from './catalogueRefusals.ts'

/** Creates an entity that has nothing but a name. */
export type MakeByName = (name: string) => Promise<Choice>

/** Creates entities of an index from within a picker; undefined if a name is not enough, or the user may not. */
export function useMakeByName(areaOf: AreaOf) {
  const me = useMe()
  const language = useLanguage()
  return (index: Index): MakeByName | undefined => {
    const kind = TRANSLATED_KINDS.find((each) => kinds[each].plural === index)
    if (!kind || !('isMadeByName' in AREAS[kind]) || catalogueRefusals(me, kind).create) return undefined
    return async (name) => {
      const area = await areaOf(kind)
      const start = area.editor.start()
      const { title = '' } = kindOf(kind).texts ?? {}
      const [empty] = Object.values(start.translations as Record<string, Record<string, string>>)
      const translations = { [languageOf(name, language)]: { ...empty, [title]: name } }
      const { _id } = await create(area, { ...start, translations }, [])
      return { _id, translations, cover: '' }
    }
  }
}

/**
 * Guesses the language of a typed name by its script: a wanted language of that script, if there is one. For Han
 * characters alone, the console's language decides.
 */
function languageOf(name: string, language: Language): string {
  const guess = guessLanguage(name)
  const isHan = /\p{Script=Han}/u.test(name) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)
  const family = isHan ? (language === 'zh' ? 'zh' : 'ja') : (guess ?? 'en')
  const wanted = site.get().languages
  return (
    wanted.find((tag) => isInFamily(tag, family)) ?? wanted.find((tag) => scriptOf(tag) === scriptOf(family)) ?? family
  )
}
