import type { MEDIA_TYPES } from '@mokuroku/contract/media'
import type { AiSource } from '@mokuroku/contract/provenance'
import type { CharacterSuggestion } from '@mokuroku/contract/suggestion'

/** What one source says of one work. What it does not say is absent: nothing here is a guess. */
export interface Work {
  /** Named wherever it shows; `url` is its page about the work. */
  source: AiSource
  mediaType: (typeof MEDIA_TYPES)[number]
  /** By language tag. */
  titles: Record<string, string>
  /** By which it is also known: other spellings, romanised titles. */
  otherTitles: string[]
  originalTitle?: string | undefined
  descriptions: Record<string, string>
  /** An ISO moment. */
  releaseDate?: string | undefined
  isOngoing?: boolean | undefined
  episodes?: number | undefined
  /** Minutes. */
  duration?: number | undefined
  /** In English, the most telling first. */
  tags: string[]
  characters: CharacterSuggestion[]
  pictures: Picture[]
  /** What it is called elsewhere, as `anilist:1`: two works that share one are the same. */
  ids: string[]
  /** Where it is an entry of this catalogue. */
  entityId?: string | undefined
}

export interface Picture {
  url: string
  /** What it shows. */
  title: string
}

export interface Source {
  name: string
  /** The works that a topic may mean, best first. Throws a Refusal with what can be told when it cannot be asked. */
  find: (topic: string, signal: AbortSignal) => Promise<Work[]>
}

/** A source that is here, and can also be asked what has just these titles. */
export interface Reference extends Source {
  named: (titles: string[]) => Promise<Work[]>
}

/** Each source once, by its name. */
export const uniqueSources = (sources: AiSource[]): AiSource[] => [
  ...new Map(sources.map((each) => [each.name, each])).values(),
]

/** Every title by which a work is known, the original first. */
export const allTitles = ({ originalTitle, titles, otherTitles }: Work): string[] =>
  [...new Set([originalTitle ?? '', ...Object.values(titles), ...otherTitles])].filter(Boolean)
