import { charactersInEnglish } from './charactersInEnglish.ts'
import { charactersOfAsia } from './charactersOfAsia.ts'
import { charactersOfEurope } from './charactersOfEurope.ts'
import { charactersOfJapan } from './charactersOfJapan.ts'
import { mangaAdaptations } from './manga.ts'
import { novelsOfAsia } from './novelsOfAsia.ts'
import { novelsOfJapan } from './novelsOfJapan.ts'
import { novelsOfTheWest } from './novelsOfTheWest.ts'
import { daysBefore, pick, seeded, shuffled } from './seed.ts'
import type { SampleCharacter, SampleMedia } from './types.ts'

/** Usernames from people.ts whose tier or role lets them create media and characters. */
const WRITERS = ['mori_reads', 'marguerite', 'liu_yang', 'sato_k', 'isabel', 'hanako_m', 'daniel_m']

/**
 * Our novels and manga, without covers. They come after the imported anime, so that the newest records have pictures,
 * and mixed, so that novels and manga share the first page.
 */
export function sampleWorks(): SampleMedia[] {
  const works = [...novelsOfJapan(), ...novelsOfAsia(), ...novelsOfTheWest(), ...mangaAdaptations()]
  const adapted = Map.groupBy(works, ({ relatedMedia }) => relatedMedia[0] ?? '')
  return shuffled(seeded('order of works'), works).map((work, index) => ({
    ...work,
    relatedMedia: [...work.relatedMedia, ...(adapted.get(work.key) ?? []).map(({ key }) => key)],
    createdAt: daysBefore(60 - index * 0.71),
    createdBy: pick(seeded(`writer ${work.key}`), WRITERS),
  }))
}

/** The characters of those works, without portraits; older than the works, which hold their keys. */
export function sampleCharacters(): SampleCharacter[] {
  return [...charactersOfJapan(), ...charactersOfAsia(), ...charactersInEnglish(), ...charactersOfEurope()].map(
    (character, index) => ({
      ...character,
      createdAt: daysBefore(67 - index * 0.07),
      createdBy: pick(seeded(`writer ${character.key}`), WRITERS),
    }),
  )
}
