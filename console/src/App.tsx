import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { restoreSession } from '#api/signIn.ts'
import { joinSentences, messageOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { Failed } from '#ui/Loaded.tsx'
import { Splash } from '#ui/Splash.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { preloadHere, router } from './routes.tsx'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Screens />
      <Toaster />
    </QueryClientProvider>
  )
}

/** After how long a server that could not verify the session at startup is asked again. */
const RETRY_MS = 5000

/** Shows the splash screen while the session is verified; the screen's code loads in parallel. */
function Screens() {
  const now = session.use()
  const { state } = now
  const { errors } = useMessages()
  useEffect(() => {
    if (state === 'loading') preloadHere()
    // While it is unknown whether the user is signed in, keep the URL, do not redirect.
    else if (state !== 'unverified') void router.invalidate()
  }, [state])
  useEffect(() => {
    // An internal error would be another one each time, whose request id nobody could copy.
    if (now.state !== 'unverified' || now.error.code === 'internal') return
    const timer = setTimeout(() => void restoreSession({ quiet: true }), RETRY_MS)
    return () => clearTimeout(timer)
  }, [now])
  if (state === 'loading') return <Splash />
  if (now.state === 'unverified') {
    const { code } = now.error
    const hint = joinSentences(messageOf(now.error), code === 'internal' ? '' : errors.startingHint)
    return (
      <Splash>
        <Failed what={code ? errors.screen : errors.starting} hint={hint} retry={() => restoreSession()} />
      </Splash>
    )
  }
  return <RouterProvider router={router} />
}
