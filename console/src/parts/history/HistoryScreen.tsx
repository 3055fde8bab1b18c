import { Link } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useMessages } from '#i18n/messages.ts'
import type { Text } from '#lib/text.ts'
import { DetailFrame } from '#parts/DetailFrame.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Page } from '#ui/Page.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import type { HistoryProps } from './historyProps.ts'
import { historyTexts } from './texts.ts'
import { LazyHistory } from './WithHistory.tsx'

type Frame<Entity extends { _id: string }> = ComponentProps<typeof DetailFrame<Entity>>

interface Props<Entity extends { _id: string }> extends Pick<Frame<Entity>, 'query' | 'back' | 'texts'> {
  kind: HistoryProps['kind']
  nameOf: (entity: Entity) => Text
  refusalOf: (entity: Entity) => string | undefined
  /** Where it is edited. */
  editor: (entity: Entity) => string
}

/** The history of a thing that has no screen but its editor, as a screen of its own. */
export function HistoryScreen<Entity extends { _id: string }>(props: Props<Entity>) {
  const { query, back, kind, nameOf, refusalOf, editor } = props
  const texts = historyTexts.use()
  const pending = (
    <Page title={texts.history} back={back}>
      <p role="status" className="sr-only">
        {texts.loading}
      </p>
      <SkeletonLines lines={6} height={56} />
    </Page>
  )
  return (
    <DetailFrame query={query} back={back} texts={props.texts} pending={pending}>
      {(entity) => {
        const name = nameOf(entity)
        const refusal = refusalOf(entity)
        return (
          <Page
            title={texts.of(name.text)}
            lang={name.lang}
            subtitle={texts.subtitle}
            back={back}
            actions={<Edit to={editor(entity)} refusal={refusal} />}
          >
            <LazyHistory kind={kind} id={entity._id} refusal={refusal} />
          </Page>
        )
      }}
    </DetailFrame>
  )
}

function Edit({ to, refusal }: { to: string; refusal: string | undefined }) {
  const { common } = useMessages()
  if (refusal) {
    return (
      <Button icon={SquarePen} reason={refusal}>
        {common.edit}
      </Button>
    )
  }
  return (
    <Link to={to} className={buttonClass()}>
      <SquarePen size={16} aria-hidden />
      {common.edit}
    </Link>
  )
}
