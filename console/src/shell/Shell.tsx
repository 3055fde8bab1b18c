import { Outlet, useLocation, useNavigate, useRouterState } from '@tanstack/react-router'
import { type MouseEvent, Suspense, use, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCollapsed } from '#api/preferences.ts'
import { passwordQuestion } from '#api/reauthenticate.ts'
import { session } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { forgetOpenedByKey } from '#parts/openedByKey.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Splash } from '#ui/Splash.tsx'
import { focusScreen } from '#ui/focusScreen.ts'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { useIsWide } from '#ui/useIsWide.ts'
import { useShortcut } from '#ui/useShortcut.ts'
import { Links, Sidebar } from './Sidebar.tsx'
import { openEditor, useGoKeys } from './useGoKeys.ts'
import css from './Shell.module.css'
import { type BellProps, TopBar } from './TopBar.tsx'

const Palette = lazyOverlay(() => import('./Palette.tsx'), 'Palette')
const PasswordQuestion = lazyOverlay(() => import('./PasswordQuestion.tsx'), 'PasswordQuestion')
const KeyList = lazyOverlay(() => import('./KeyList.tsx'), 'KeyList')

/** Deferred on first render, so that the frame is shown first and the screen is rendered in small time slices. */
const SCREEN = <Outlet />

type Open = 'palette' | 'keys' | 'drawer'

export function Shell(props: BellProps) {
  // After the session has ended, until the redirect to /login.
  return session.use().state === 'in' ? <Frame {...props} /> : <Splash />
}

function Frame({ Bell }: BellProps) {
  const { panel, shell } = useMessages()
  // Here and not in the palette, so that nothing typed while its code is loading is lost.
  const [text, setText] = useState('')
  // Nor may the palette replace the box while a text is being composed there, which would end the composition.
  const [composing, setComposing] = useState(false)
  const collapsed = useCollapsed()
  const isWide = useIsWide()
  const [open, setOpen] = useState<Open>()
  const question = passwordQuestion.use()
  const close = () => setOpen(undefined)
  const search = () => {
    setText('')
    setComposing(false)
    setOpen('palette')
  }
  const main = useFocusedOnArrival()
  const navigate = useNavigate()
  useShortcut('mod+k', () => (open === 'palette' ? close() : search()))
  useShortcut('?', () => setOpen('keys'))
  useShortcut('/', focusSearch)
  useShortcut('e', openEditor)
  useGoKeys((to) => void navigate({ to }))
  return (
    <div className={css.frame} data-collapsed={collapsed || undefined}>
      <a href="#main" className={`sr-only ${css.skip}`} onClick={skip}>
        {shell.skip}
      </a>
      {isWide && <Sidebar collapsed={collapsed} />}
      <div className={css.column}>
        <PendingBar />
        <TopBar Bell={Bell} onPalette={search} onDrawer={() => setOpen('drawer')} />
        <main id="main" ref={main} tabIndex={-1}>
          {useDeferredValue(SCREEN, null)}
        </main>
      </div>
      {open === 'drawer' && (
        <Dialog kind="drawer" title={panel} onClose={close}>
          <Links onChosen={close} />
        </Dialog>
      )}
      <Suspense
        fallback={
          open === 'palette' && (
            <Dialog kind="palette" title={shell.search} onClose={close}>
              <input
                className={css.search}
                aria-label={shell.search}
                value={text}
                maxLength={200}
                onChange={(event) => setText(event.currentTarget.value)}
                onCompositionStart={() => setComposing(true)}
                onCompositionEnd={() => setComposing(false)}
              />
            </Dialog>
          )
        }
      >
        {open === 'palette' &&
          (composing ? (
            <Never />
          ) : (
            <Palette text={text} onText={setText} onClose={close} onKeys={() => setOpen('keys')} />
          ))}
        {open === 'keys' && <KeyList onClose={close} />}
        {question && <PasswordQuestion answer={question.answer} />}
      </Suspense>
    </div>
  )
}

const never = new Promise<never>(() => {})
/** Keeps what is shown while code is loading. */
const Never = () => use(never)

/**
 * Skips the navigation without following the link: that would be a navigation, which asks before leaving unsaved changes
 * and loses the list from which the screen was opened.
 */
function skip(event: MouseEvent) {
  event.preventDefault()
  focusScreen()
}

/** Moves the focus to the start of a new screen, as after loading a page. */
function useFocusedOnArrival() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    forgetOpenedByKey(pathname)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

function PendingBar() {
  const pending = useRouterState({ select: (state) => state.isLoading })
  return <div className={css.pending} data-on={pending || undefined} />
}

function focusSearch() {
  const box = document.querySelector<HTMLInputElement>('main input[type="search"], main [data-search]')
  box?.focus()
  box?.select()
  return box !== null
}
