import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { useSiteName } from '#lib/site.ts'
import { Muted, Row, Stack } from './layout.tsx'
import css from './Page.module.css'

interface Props {
  title: string
  subtitle?: ReactNode
  /** The chosen one of several views of the page, for the document title. */
  view?: string | undefined
  /** Language of the title, if it comes from the catalogue. */
  lang?: string | undefined
  /** The back link. */
  back?: { to: string; label: string; search?: Record<string, string> }
  /** Replaces the plain title; must contain the h1. */
  hero?: ReactNode
  /** Buttons of the page. */
  actions?: ReactNode
  children?: ReactNode
}

export function Page({ title, view, subtitle, lang, back, hero, actions, children }: Props) {
  useTitle(title, view)
  return (
    <Stack gap={4} className={css.page}>
      <Row as="header" gap={3} align="end" justify="between" wrap>
        <div className={css.heading}>
          {back && (
            // Otherwise it would be announced as the current page: its path is the start of this one.
            <Link to={back.to} search={back.search ?? {}} activeOptions={{ exact: true }} className={css.back}>
              <ArrowLeft size={14} aria-hidden />
              {back.label}
            </Link>
          )}
          {!hero && (
            <h1 className={css.title} lang={lang}>
              {title}
            </h1>
          )}
          {subtitle && <Muted as="p">{subtitle}</Muted>}
        </div>
        {actions && (
          <Row gap={2} align="stretch" wrap>
            {actions}
          </Row>
        )}
      </Row>
      {hero}
      {children}
    </Stack>
  )
}

/** Sets the document title: 'Media List · Admin Dashboard', before it the view, and after it the site's name, if any. */
export function useTitle(title: string, view?: string) {
  const { app } = useMessages()
  const siteName = useSiteName()
  useEffect(() => {
    document.title = [view, title !== app && title, app, siteName].filter(Boolean).join(' · ')
  }, [title, view, app, siteName])
}
