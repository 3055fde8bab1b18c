import type { ReactNode } from 'react'
import { useSiteName } from '#lib/site.ts'
import { Seal } from '#ui/Seal.tsx'
import css from './Entrance.module.css'

interface Props {
  title: string
  subtitle?: string
  children: ReactNode
}

/** The screens before the sign-in. */
export function Entrance({ title, subtitle, children }: Props) {
  const siteName = useSiteName()
  return (
    <main className={css.entrance}>
      <div className={css.sheet}>
        <Seal size={40} />
        {siteName && <p className={css.site}>{siteName}</p>}
        <h1 className={css.title}>{title}</h1>
        {subtitle && <p className={css.subtitle}>{subtitle}</p>}
        {children}
      </div>
    </main>
  )
}
