import type { Media } from '@mokuroku/contract/media'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { Muted } from '#ui/layout.tsx'
import css from './RatingHistogram.module.css'
import { ratingTexts } from './ratingTexts.ts'

/** The number of ratings of 0, 1, … 10: bars in the colours of the score badges, and a table with the exact numbers. */
export function RatingHistogram({ ratingHistogram: bins }: Pick<Media, 'ratingHistogram'>) {
  const texts = ratingTexts.use()
  const language = useLanguage()
  const max = Math.max(1, ...bins)
  return (
    <figure>
      <Muted as="figcaption" small title={texts.histogramHint}>
        {texts.histogram}
      </Muted>
      <div className={css.bars} aria-hidden>
        {bins.map((ratings, score) => (
          <div key={score} className={css.bin}>
            <span className={css.plot}>
              {ratings > 0 && <span className={css.count}>{short(ratings, language)}</span>}
              <span className={css.bar} data-range={rangeOf(score)} style={{ flexGrow: ratings / max }} />
            </span>
            <span className={css.score}>{score}</span>
          </div>
        ))}
      </div>
      <div className="sr-only">
        <table>
          <caption>{texts.histogram}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.score}</th>
              <th scope="col">{texts.number}</th>
            </tr>
          </thead>
          <tbody>
            {bins.map((ratings, score) => (
              <tr key={score}>
                <th scope="row">{score}</th>
                <td>{count(ratings, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

/** The same thresholds as the score badge. */
const rangeOf = (score: number) => (score >= 8 ? 'good' : score >= 5 ? 'fair' : 'poor')

/** A number short enough for the narrowest screen: 987, 4K; the table shows it in full. */
const short = (value: number, locale: string) =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 0 }).format(value)
