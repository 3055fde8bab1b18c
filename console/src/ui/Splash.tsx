import type { ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Spinner } from './Spinner.tsx'
import css from './Splash.module.css'

/** The whole window, before there is a screen to show. What is only on its way has no heading: a screen brings its own. */
export function Splash({ children }: { children?: ReactNode }) {
  const { app, common } = useMessages()
  return (
    <main className={css.splash}>
      {children ? (
        <>
          <h1 className="sr-only">{app}</h1>
          {children}
        </>
      ) : (
        <Spinner size={28} label={common.loading} />
      )}
    </main>
  )
}
