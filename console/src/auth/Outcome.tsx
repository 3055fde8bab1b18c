import { type ReactNode, useEffect, useRef } from 'react'
import { SignInLayout } from './SignInLayout.tsx'
import css from './SignInLayout.module.css'

interface Props {
  title: string
  /** Takes the focus, because it replaces the form that had it. */
  message: string
  children: ReactNode
}

/** Replaces a form after it was sent: what happened, and where to go next. */
export function Outcome({ title, message, children }: Props) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  useEffect(() => paragraph.current?.focus(), [])
  return (
    <SignInLayout title={title}>
      <div className={css.text}>
        <p ref={paragraph} tabIndex={-1} role="status">
          {message}
        </p>
        {children}
      </div>
    </SignInLayout>
  )
}
