import { CircleAlert, CloudOff } from 'lucide-react'
import css from './SignInLayout.module.css'

/** What went wrong, above the form. */
export function Banner({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className={css.banner}>
      <CircleAlert size={16} aria-hidden />
      {children}
    </p>
  )
}

/** What happened outside this page, above the form. */
export function Notice({ children }: { children: string }) {
  return (
    <p role="status" className={css.notice}>
      <CloudOff size={16} aria-hidden />
      {children}
    </p>
  )
}
