import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { restoreSession } from '#api/signIn.ts'
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

/** After how long a server that did not answer at startup is asked again. */
const RETRY_MS = 5000

/** Shows the splash screen while the session is verified; the screen's code loads in parallel. */
function Screens() {
  const now = session.use()
  const { state } = now
  const { errors } = useMessages()
  useEffect(() => {
    if (state === 'loading') preloadHere()
    // While the server is unreachable, whether the user is signed in is unknown: keep the URL, do not redirect.
    else if (state !== 'unreachable') void router.invalidate()
  }, [state])
  useEffect(() => {
    if (now.state !== 'unreachable') return
    const timer = setTimeout(() => void restoreSession({ quiet: true }), RETRY_MS)
    return () => clearTimeout(timer)
  }, [now])
  if (state === 'loading') return <Splash />
  if (state === 'unreachable') {
    return (
      <Splash>
        <Failed what={errors.starting} hint={errors.startingHint} retry={() => restoreSession()} />
      </Splash>
    )
  }
  return <RouterProvider router={router} />
}
