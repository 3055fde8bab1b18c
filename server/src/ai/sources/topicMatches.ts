/** A search match and its kind. */
interface Found {
  entityId: string
  text: string
  kind: 'exact' | 'prefix' | 'inside' | 'typo'
}

/** Minimum share of a title that the topic must cover if it is not the whole title. */
const MIN_SHARE = 0.25
/** Minimum length of a partial match, in characters: a few Latin letters start many titles, two Han characters few. */
const MIN_CHARS = { latin: 4, other: 2 }
/** Words said about a title that are rarely part of it. */
const DESCRIPTORS =
  /(?<![\p{L}\p{N}])(anime|manga|novel|light novel|series|tv|movie|film|ova)(?![\p{L}\p{N}])|动画|漫画|小说|アニメ|マンガ|\(?\b(19|20)\d\d\b\)?/giu

/**
 * The matches for a topic: exact titles, or else titles of which it is a large enough part. First tries the topic as it
 * is, then without words that only describe a title, such as 'anime' or the year.
 */
export async function topicMatches<Match extends Found>(
  topic: string,
  find: (topic: string) => Promise<Match[]>,
): Promise<Match[]> {
  const bare = topic.replace(DESCRIPTORS, ' ').trim()
  for (const asked of new Set([topic, bare])) {
    const found = asked ? bestMatches(asked, await find(asked)) : []
    if (found.length > 0) return found
  }
  return []
}

function bestMatches<Match extends Found>(topic: string, matches: Match[]): Match[] {
  const exact = matches.filter(({ kind }) => kind === 'exact')
  if (exact.length > 0) return exact
  // Titles that contain the exact letters come before those that only match phonetically.
  const asWritten = ({ text }: Match): boolean => text.toLowerCase().includes(topic.toLowerCase())
  return matches
    .filter((match) => isPart(topic, match))
    .toSorted((one, two) => Number(asWritten(two)) - Number(asWritten(one)))
}

function isPart(topic: string, { text, kind }: Found): boolean {
  if (kind === 'typo') return true
  const letters = lettersOf(topic)
  const minChars = /^[\p{Script=Latin}\p{N}]*$/u.test(letters) ? MIN_CHARS.latin : MIN_CHARS.other
  return letters.length >= minChars && letters.length >= lettersOf(text).length * MIN_SHARE
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
