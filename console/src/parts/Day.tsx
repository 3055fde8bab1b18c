import { useLanguage } from '#i18n/messages.ts'
import { longDateTime, shortDate } from '#lib/dates.ts'

/** A moment as a date, for columns; its tooltip has the time. */
export function Day({ moment }: { moment: string }) {
  const language = useLanguage()
  return (
    <time dateTime={moment} title={longDateTime(moment, language)}>
      {shortDate(moment, language)}
    </time>
  )
}
