/** Scores are counted in tenths, so that sums of them are exact. */
export const tenthsOf = (score: number): number => Math.round(score * 10)

/** The bin of the histogram that a score falls into, rounded half up. */
export const binOf = (score: number): number => Math.floor((tenthsOf(score) + 5) / 10)

/** The rating statistics stored with a media item: histogram, count and sum. */
export function tally(scores: { score: number; count: number }[]) {
  const ratingHistogram = Array.from({ length: 11 }, () => 0)
  let [ratingCount, ratingSum] = [0, 0]
  for (const { score, count } of scores) {
    ratingHistogram[binOf(score)] = (ratingHistogram[binOf(score)] ?? 0) + count
    ratingCount += count
    ratingSum += tenthsOf(score) * count
  }
  return { ratingHistogram, ratingCount, ratingSum, averageRating: averageOf(ratingSum, ratingCount) }
}

const averageOf = (sum: number, count: number): number => (count === 0 ? 0 : sum / (10 * count))
