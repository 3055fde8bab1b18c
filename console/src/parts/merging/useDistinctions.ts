import { useLanguage } from '#i18n/messages.ts'
import { longDateTime, longMoment } from '#lib/dates.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { mergeTexts } from './texts.ts'

type Facts = Stored & { releaseDate?: unknown; translations?: object; createdAt?: unknown; [link: string]: unknown }

/** What tells each of two entries apart that may have the same title, type and year; if nothing does, their ids. */
export function useDistinctions({ editor }: Area, entities: readonly Stored[]): string[] {
  const texts = mergeTexts.use()
  const locale = useLanguage()
  const links = Object.keys(editor.links ?? {})
  const facts = (entities as readonly Facts[]).map((entity) => {
    const { releaseDate, translations = {}, createdAt } = entity
    const linked = links.flatMap((name) => (Array.isArray(entity[name]) ? (entity[name] as unknown[]) : [])).length
    return [
      typeof releaseDate === 'string' ? longMoment(releaseDate, locale) : '',
      texts.languages(Object.keys(translations).length),
      texts.links(linked),
      typeof createdAt === 'string' ? texts.created(longDateTime(createdAt, locale)) : '',
    ]
  })
  return facts.map((own, at) => {
    const different = own.filter((fact, index) => fact && facts.some((other) => other[index] !== fact))
    return different.length > 0 ? different.join(' · ') : (entities[at]?._id ?? '')
  })
}
