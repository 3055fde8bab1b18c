import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'
import { NotFetched, reloadPage } from '#ui/code.ts'
import { Failed } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'

/** Error screen for a screen that threw, or whose code failed to load. The shell around it keeps working. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const { common, errors, notFound } = useMessages()
  const router = useRouter()
  const isNotFetched = error instanceof NotFetched
  const retry = async () => {
    if (isNotFetched) await reloadPage(error).catch(() => undefined)
    reset()
    void router.invalidate()
  }
  return (
    <Page title={common.error}>
      <Failed
        what={isNotFetched ? common.somethingFailed : errors.screen}
        hint={isNotFetched ? errors.network : errors.screenHint}
        retry={retry}
      >
        <Link to="/" className={buttonClass()}>
          {notFound.back}
        </Link>
      </Failed>
    </Page>
  )
}
