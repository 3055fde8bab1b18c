import type { MEDIA_TYPES } from '@mokuroku/contract/media'
import type { AiSource } from '@mokuroku/contract/provenance'
import type { CharacterSuggestion } from '@mokuroku/contract/suggestion'

/** What one source says about one work. Unknown values are absent; nothing is guessed. */
export interface Work {
  /** Shown wherever its data is; `url` is its page about the work. */
  source: AiSource
  mediaType: (typeof MEDIA_TYPES)[number]
  /** By language tag. */
  titles: Record<string, string>
  /** Alternative titles: other spellings, romanized titles. */
  otherTitles: string[]
  originalTitle?: string | undefined
  descriptions: Record<string, string>
  /** As an ISO moment. */
  releaseDate?: string | undefined
  isOngoing?: boolean | undefined
  episodes?: number | undefined
  /** In minutes. */
  duration?: number | undefined
  /** In English, most relevant first. */
  tags: string[]
  characters: CharacterSuggestion[]
  pictures: Picture[]
  /** Ids in other databases, such as `anilist:1`; two works that share one are the same. */
  ids: string[]
  /** The entity's id, if the work is from this catalogue. */
  entityId?: string | undefined
}

export interface Picture {
  url: string
  /** What it shows. */
  title: string
}

export interface Source {
  name: string
  /**
   * The works that a topic may mean, best first. Throws a Refusal with a message for the user if it cannot be queried.
   */
  find: (topic: string, signal: AbortSignal) => Promise<Work[]>
}

/** A source on another host; tests replace its `url`. */
export interface PublicCatalogue extends Source {
  url: string
}

/** A local source, which can also be queried by exact titles. */
export interface Reference extends Source {
  named: (titles: string[]) => Promise<Work[]>
}

/** Removes duplicates by name. */
export const uniqueSources = (sources: AiSource[]): AiSource[] => [
  ...new Map(sources.map((each) => [each.name, each])).values(),
]

/** All known titles of a work, the original first. */
export const allTitles = ({ originalTitle, titles, otherTitles }: Work): string[] =>
  [...new Set([originalTitle ?? '', ...Object.values(titles), ...otherTitles])].filter(Boolean)
