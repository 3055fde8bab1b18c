import type { ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Logo } from './Logo.tsx'

/**
 * The whole window, before there is a screen to show: the seal that the page begins with. What is only on its way has no
 * heading: a screen brings its own.
 */
export function Splash({ children }: { children?: ReactNode }) {
  const { app, common } = useMessages()
  return (
    <main className="splash">
      {children ? (
        <>
          <h1 className="sr-only">{app}</h1>
          {children}
        </>
      ) : (
        <>
          <Logo size={40} />
          <span className="sr-only" role="status">
            {common.loading}
          </span>
        </>
      )}
    </main>
  )
}
