import { Link } from '@tanstack/react-router'
import { FilePen } from 'lucide-react'
import { useState } from 'react'
import { allDrafts, dropDrafts } from '#api/drafts.ts'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { AREAS, editorOf, type Kind, KINDS, screenOf } from '#lib/areas.ts'
import { longDateTime } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import css from './Drafts.module.css'
import { draftTexts } from './draftTexts.ts'

/** The user's drafts in this browser, newest first; each links to its editor, or to its entry if it is of one text. */
export function Drafts() {
  const texts = draftTexts.use()
  const { notFound } = useMessages()
  const me = useMe()
  const [drafts, setDrafts] = useState(() => allDrafts(me._id))
  const discard = (entity: string) => {
    dropDrafts(me._id, entity)
    setDrafts(allDrafts(me._id))
    toast.success(texts.discarded)
  }
  return (
    <Page title={texts.title} subtitle={texts.subtitle} back={{ to: '/', label: notFound.back }}>
      <Card flush>
        {drafts.length === 0 ? (
          <EmptyState icon={FilePen} title={texts.empty} hint={texts.emptyHint} />
        ) : (
          <ul>
            {drafts.map(({ entity, draft }) => (
              <DraftRow key={entity} entity={entity} {...draft} onDiscard={() => discard(entity)} />
            ))}
          </ul>
        )}
      </Card>
    </Page>
  )
}

/** Drafts of what is to be created, by the end of their keys: they are edited at the path that the key is. */
const NEW = new Set(['new', 'compare'])

/** The beginning of a text's first line, in characters. */
const BEGINNING = /^.{0,80}/u

function DraftRow({
  entity,
  text,
  at,
  onDiscard,
}: {
  entity: string
  text: string
  at: string
  onDiscard: () => void
}) {
  const texts = draftTexts.use()
  const language = useLanguage()
  const { kinds } = useMessages()
  const { kind, id, language: tag } = placeOf(entity)
  const typed = text.trim()
  const written = tag ? BEGINNING.exec(typed)?.[0] : nameIn(text)
  const name = written || (kind ? (NEW.has(id) ? texts.newOne(kinds[kind].name) : kinds[kind].name) : entity)
  return (
    <Row as="li" gap={4} justify="between" className={css.row}>
      <div className={css.what}>
        <Stack as="p">
          <Link to={addressOf(entity)} lang={tag ?? (written ? guessLanguage(written) : undefined)}>
            {name}
          </Link>
          <Muted small>
            {kind && `${kinds[kind].name} · `}
            {tag && `${languageName(tag, language)} · `}
            <time dateTime={at}>{longDateTime(at, language)}</time>
          </Muted>
        </Stack>
        {/* Its entry may have been merged into another one, whose texts do not show it. */}
        {tag && typed !== written && typed !== '' && (
          <details>
            <summary>{texts.whole}</summary>
            <p lang={tag}>{typed}</p>
          </details>
        )}
      </div>
      <Button once size="small" variant="quiet" aria-label={texts.discardOf(name)} onClick={onDiscard}>
        {texts.discard}
      </Button>
    </Row>
  )
}

/** What a draft is of: `media/<id>`, `media/new`, `media/compare`, or one text at the desk, `work/media/<id>/<language>/<field>`. */
function placeOf(entity: string): { kind: Kind | undefined; id: string; language: string | undefined } {
  const [path, id = '', language] = entity.replace(/^work\//, '').split('/')
  return { kind: KINDS.find((each) => AREAS[each].path === `/${path}`), id, language }
}

function addressOf(entity: string): string {
  const { kind, id, language } = placeOf(entity)
  if (!kind || NEW.has(id)) return `/${entity}`
  return language ? screenOf(kind, id) : editorOf(kind, id)
}

/** The first title or name in a draft's JSON, which may be incomplete. */
function nameIn(text: string): string | undefined {
  const names = Array.from(
    text.matchAll(/"(?:title|name|username|siteName|original(?:Title|Name))": ?"((?:[^"\\]|\\.)+)"/g),
  )
  const [, first] = names[0] ?? []
  try {
    return first && (JSON.parse(`"${first.replaceAll(/\p{Cc}/gu, ' ')}"`) as string)
  } catch {
    return first
  }
}
