/** Texts up to this length are normalized quickly, whatever they hold. */
const SHORT_CHARS = 200
/** Marks beyond 30 on one character, as in the Stream-Safe Text Format (UAX #15); those of half-width kana, too. */
const EXCESS_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Normalizes a text that users send. Drops excess marks of a long one first, since the time to sort them is quadratic:
 * a megabyte of them would take minutes.
 */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC'): string =>
  (text.length > SHORT_CHARS ? text.replace(EXCESS_MARKS, '$1') : text).normalize(form)
