import { Link } from '@tanstack/react-router'
import { AREAS } from '#lib/areas.ts'
import { guessLanguage } from '#lib/text.ts'
import css from './UserLink.module.css'

/** The name of a user, linked to the media that they created. */
export function UserLink({ _id, username }: { _id: string; username: string }) {
  return (
    <Link to={AREAS.Media.path} search={{ createdBy: _id }} lang={guessLanguage(username)} className={css.user}>
      {username}
    </Link>
  )
}
