import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'

/** A screen that threw, or whose code did not arrive. The shell around it goes on working. */
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
