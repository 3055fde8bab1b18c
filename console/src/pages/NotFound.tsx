import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'

export function NotFound() {
  const { notFound } = useMessages()
  return (
    <Page title={notFound.title}>
      <EmptyState icon={Compass} title="404" hint={notFound.hint}>
        <Link to="/" className={buttonClass({ variant: 'primary' })}>
          {notFound.back}
        </Link>
      </EmptyState>
    </Page>
  )
}
