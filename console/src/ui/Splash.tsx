import type { ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Logo } from './Logo.tsx'

/**
 * Fills the window before the first screen, with the same logo as index.html. It has no heading while loading, because
 * the screen will have one.
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
