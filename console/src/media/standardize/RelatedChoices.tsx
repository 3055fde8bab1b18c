import type { MediaRow } from '@mokuroku/contract/media'
import { Cover } from '#parts/Cover.tsx'
import { TypeBadge } from '#parts/MediaBadges.tsx'
import { original, useTitleOf } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import css from './MediaStandardize.module.css'
import { standardizeTexts } from './texts.ts'

interface Props {
  /** undefined: could not be loaded. */
  related: readonly MediaRow[] | undefined
  checked: ReadonlySet<string>
  onCheck: (ids: ReadonlySet<string>) => void
}

/** Checkboxes for the media that may be standardized together with the chosen one. */
export function RelatedChoices({ related: read, checked, onCheck }: Props) {
  const texts = standardizeTexts.use()
  const titleOf = useTitleOf()
  const related = read ?? []
  const toggle = (id: string, on: boolean) => {
    const next = new Set(checked)
    if (on) next.add(id)
    else next.delete(id)
    onCheck(next)
  }
  return (
    <Card
      title={texts.related}
      action={
        <span className={css.count} role="status">
          {texts.count(related.filter(({ _id }) => checked.has(_id)).length, related.length)}
        </span>
      }
    >
      {related.length === 0 ? (
        <Muted as="p">{read ? texts.relatedEmpty : texts.relatedUnread}</Muted>
      ) : (
        <>
          <Row gap={2} align="stretch" wrap className={css.tools}>
            <Button size="small" onClick={() => onCheck(new Set(related.map(({ _id }) => _id)))}>
              {texts.selectAll}
            </Button>
            <Button size="small" onClick={() => onCheck(new Set())}>
              {texts.unselectAll}
            </Button>
          </Row>
          <Stack as="ul" gap={1}>
            {related.map((media) => {
              const title = titleOf(media)
              const published = original(media.originalTitle, title)
              return (
                <li key={media._id}>
                  <Row as="label" gap={3} className={css.choice}>
                    <input
                      type="checkbox"
                      checked={checked.has(media._id)}
                      onChange={(event) => toggle(media._id, event.currentTarget.checked)}
                    />
                    <Cover cover={media.cover} entity={media} size="row" />
                    <Stack as="span" className={css.names}>
                      <span lang={title.lang}>{title.text}</span>
                      {published && <Muted lang={published.lang}>{published.text}</Muted>}
                    </Stack>
                    <TypeBadge {...media} />
                  </Row>
                </li>
              )
            })}
          </Stack>
        </>
      )}
    </Card>
  )
}
