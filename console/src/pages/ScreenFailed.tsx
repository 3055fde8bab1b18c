import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'

/** Error screen for a screen that threw, or whose code failed to load. The shell around it keeps working. */
export function ScreenFailed({ reset }: ErrorComponentProps) {
  const { common, errors, notFound } = useMessages()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title={common.error}>
      <Failed what={errors.screen} hint={errors.screenHint} retry={retry}>
        <Link to="/" className={buttonClass()}>
          {notFound.back}
        </Link>
      </Failed>
    </Page>
  )
}
