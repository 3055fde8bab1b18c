import { useEffect } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { openEntity, coEditors } from '#api/openEntity.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { Row } from '#ui/layout.tsx'
import { listPeople } from './listPeople.ts'
import css from './OthersHere.module.css'
import type { EntityEditorProps } from './props.ts'
import { editorTexts } from './texts.ts'

const MAX_AVATARS = 3

/** Other users who have the entity open in an editor. Changes are announced. */
export function OthersHere({ edited, refusal }: Pick<EntityEditorProps<never>, 'edited' | 'refusal'>) {
  const { alsoOpen } = editorTexts.use()
  const language = useLanguage()
  const { editors } = coEditors.use()
  const { kind, id } = edited
  const isWatched = id !== undefined && !refusal
  useEffect(() => (isWatched ? openEntity(kind, id) : undefined), [kind, id, isWatched])
  const { people, count } = editors ?? { people: [], count: 0 }
  return (
    <Row as="p" gap={2} role="status" className={css.others}>
      {people.slice(0, MAX_AVATARS).map(({ _id, username, avatar }) => (
        <Avatar key={_id} name={username} url={avatar} />
      ))}
      {count > 0 && (
        <span className={css.names}>
          {alsoOpen(
            listPeople(
              people.map(({ username }) => username),
              count - people.length,
              language,
            ),
          )}
        </span>
      )}
    </Row>
  )
}
