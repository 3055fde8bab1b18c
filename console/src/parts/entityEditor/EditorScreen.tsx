import { type ReactNode, Suspense } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import type { EntityEditorProps } from './props.ts'

// CodeMirror and validation are a chunk of their own, loaded in parallel with the entity.
const load = () => import('./EntityEditor.tsx')
const EntityEditor = lazyPart(load, 'EntityEditor') as <Entity>(props: EntityEditorProps<Entity>) => ReactNode

/** Page that edits an entity, as JSON or in a form. */
export function EditorScreen<Entity>(props: EntityEditorProps<Entity>) {
  return (
    <Suspense fallback={<EditorSkeleton {...props} height={props.editor.height} />}>
      <EntityEditor {...props} />
    </Suspense>
  )
}

interface SkeletonProps {
  title: string
  back: { to: string; label: string }
  height?: number | undefined
}

export function EditorSkeleton({ title, back, height = 500 }: SkeletonProps) {
  const { common } = useMessages()
  // Preloaded while the entity is being fetched. An error is shown when the chunk is needed.
  void load().catch(() => undefined)
  return (
    <Page title={title} back={back}>
      <div aria-busy="true">
        <p role="status" className="sr-only">
          {common.loading}
        </p>
        <Skeleton height={height} />
      </div>
    </Page>
  )
}
