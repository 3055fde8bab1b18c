import { CircleAlert, CloudOff } from 'lucide-react'
import css from './SignInLayout.module.css'

/** Error message above the form. */
export function Banner({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className={css.banner}>
      <CircleAlert size={16} aria-hidden />
      {children}
    </p>
  )
}

/** Status message above the form, about something that happened outside this page. */
export function Notice({ children }: { children: string }) {
  return (
    <p role="status" className={css.notice}>
      <CloudOff size={16} aria-hidden />
      {children}
    </p>
  )
}
