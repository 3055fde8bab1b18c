import { useLocation } from '@tanstack/react-router'
import { Hammer } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'
import { entryOf } from '../nav.ts'

export function Soon() {
  const { nav, shell, soon } = useMessages()
  const { pathname } = useLocation()
  const name = entryOf(pathname)?.name
  const area = name ? nav[name] : shell.profile
  return (
    <Page title={area}>
      <EmptyState icon={Hammer} title={soon.title} hint={soon.hint(area)} />
    </Page>
  )
}
