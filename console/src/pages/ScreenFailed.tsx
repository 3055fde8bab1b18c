import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
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
  const [isRetrying, setIsRetrying] = useState(false)
  const retry = async () => {
    setIsRetrying(true)
    if (isNotFetched) await reloadPage(error).catch(() => undefined)
    setIsRetrying(false)
    reset()
    void router.invalidate()
  }
  return (
    <Page title={common.error}>
      <Failed
        what={isNotFetched ? common.somethingFailed : errors.screen}
        hint={isNotFetched ? errors.network : errors.screenHint}
        busy={isRetrying}
        retry={retry}
      >
        <Link to="/" className={buttonClass()}>
          {notFound.back}
        </Link>
      </Failed>
    </Page>
  )
}
