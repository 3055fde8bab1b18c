import type { ReactNode } from 'react'
import { useSiteName } from '#lib/site.ts'
import { Muted } from '#ui/layout.tsx'
import { Logo } from '#ui/Logo.tsx'
import css from './SignInLayout.module.css'

interface Props {
  title: string
  subtitle?: string
  children: ReactNode
}

/** Layout of the screens that need no sign-in. */
export function SignInLayout({ title, subtitle, children }: Props) {
  const siteName = useSiteName()
  return (
    <main className={css.entrance}>
      <div className={css.sheet}>
        <Logo size={40} />
        {siteName && (
          <Muted as="p" className={css.site}>
            {siteName}
          </Muted>
        )}
        <h1 className={css.title}>{title}</h1>
        {subtitle && <p className={css.subtitle}>{subtitle}</p>}
        {children}
      </div>
    </main>
  )
}
