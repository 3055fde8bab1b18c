import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { useBackTo } from '#parts/useBackTo.ts'
import type { Area } from './area.ts'

/** What all screens of an area need: its texts, the user's permissions, entity names, and the link back. */
export function useArea({ kind, texts, refusals, nameOf }: Area) {
  const language = useLanguage()
  const own = texts(language)
  return {
    texts: own,
    language,
    refusals: refusals(useMe()),
    nameOf: (row: Parameters<typeof nameOf>[0]) => nameOf(row, language),
    back: useBackTo(AREAS[kind].path, own.back),
  }
}
