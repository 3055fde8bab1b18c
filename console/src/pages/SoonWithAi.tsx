import { Link, useLocation } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { buttonLook } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'

export function SoonWithAi() {
  const { soon } = useMessages()
  const { pathname } = useLocation()
  return (
    <Page title={pathname.endsWith('/compare') ? soon.compare : soon.standardize}>
      <EmptyState icon={Sparkles} title={soon.ai} hint={soon.aiHint}>
        <Link to="/media" className={buttonLook({ variant: 'primary' })}>
          {soon.backToMedia}
        </Link>
      </EmptyState>
    </Page>
  )
}
