import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { useBackTo } from '#parts/useBackTo.ts'
import type { Area } from './area.ts'

/** What the screens of an area begin with: its sentences, what the user may do, how a thing is called, the way back. */
export function useArea({ kind, texts, refusals, nameOf }: Area) {
  const language = useLanguage()
  const said = texts(language)
  return {
    texts: said,
    language,
    refusals: refusals(useMe()),
    nameOf: (row: Parameters<typeof nameOf>[0]) => nameOf(row, language),
    back: useBackTo(AREAS[kind].path, said.back),
  }
}
