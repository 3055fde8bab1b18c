/** How a text was found: what search says of a match. */
interface Found {
  entityId: string
  text: string
  kind: 'exact' | 'prefix' | 'inside' | 'typo'
}

/** How much of a title the topic must be where it is not all of it. */
const MIN_SHARE = 0.25
/** From how many characters on a part of a title may mean it: few letters begin many titles, two Han characters few. */
const MIN_CHARS = { latin: 4, other: 2 }
/** Said of a title, and rarely in it. */
const DESCRIPTORS =
  /(?<![\p{L}\p{N}])(anime|manga|novel|light novel|series|tv|movie|film|ova)(?![\p{L}\p{N}])|动画|漫画|小说|アニメ|マンガ|\(?\b(19|20)\d\d\b\)?/giu

/**
 * What of a catalogue a topic means: exact titles, else titles of which it is a good part. The topic is first taken as
 * it is, then without what is only said about a title, such as 'anime' or the year.
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
  // A title that holds the very letters comes before one that only sounds so.
  const asWritten = ({ text }: Match): boolean => text.toLowerCase().includes(topic.toLowerCase())
  return matches
    .filter((match) => isPart(topic, match))
    .toSorted((one, two) => Number(asWritten(two)) - Number(asWritten(one)))
}

function isPart(topic: string, { text, kind }: Found): boolean {
  if (kind === 'typo') return true
  const letters = lettersOf(topic)
  const least = /^[\p{Script=Latin}\p{N}]*$/u.test(letters) ? MIN_CHARS.latin : MIN_CHARS.other
  return letters.length >= least && letters.length >= lettersOf(text).length * MIN_SHARE
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
