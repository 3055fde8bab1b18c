import type { ReactNode } from 'react'
import { Seal } from '#ui/Seal.tsx'
import css from './Entrance.module.css'

interface Props {
  title: string
  subtitle: string
  children: ReactNode
}

/** The screens before the sign-in. */
export function Entrance({ title, subtitle, children }: Props) {
  return (
    <main className={css.entrance}>
      <div className={css.sheet}>
        <Seal size={40} />
        <h1 className={css.title}>{title}</h1>
        <p className={css.subtitle}>{subtitle}</p>
        {children}
      </div>
    </main>
  )
}
