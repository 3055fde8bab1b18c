import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { UserLink } from '#parts/UserLink.tsx'

interface Props {
  /** null for changes by the system. */
  userId: string | null
  username: string
  createdAt: string
}

/** Who made a change, and when. */
export function Writer({ userId, username, createdAt }: Props) {
  const language = useLanguage()
  return (
    <>
      {userId ? <UserLink _id={userId} username={username} /> : <span lang={guessLanguage(username)}>{username}</span>}
      <span aria-hidden>·</span>
      <time dateTime={createdAt}>{longDateTime(createdAt, language)}</time>
    </>
  )
}
