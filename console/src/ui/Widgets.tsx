import { createTheme, type CSSVariablesResolver, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

/** Mantine with our design tokens. Only the behaviour of its menus and popovers is used. */
const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'var(--radius-2)',
  respectReducedMotion: true,
  components: {
    Menu: { defaultProps: { ...floating(), withInitialFocusPlaceholder: false, loop: true } },
    Popover: { defaultProps: floating() },
  },
})

function floating() {
  return {
    radius: 'var(--radius-3)',
    shadow: 'var(--shadow-2)',
    offset: 6,
    transitionProps: { duration: 120, transition: 'fade' as const },
  }
}

const everywhere = {
  '--mantine-color-body': 'var(--raised)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--danger-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-anchor': 'var(--accent-text)',
}

const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: everywhere, dark: everywhere })

/**
 * Provider for Mantine's widgets, loaded with the first of them. Without a root element, because api/preferences.ts
 * applies the theme.
 */
export const Widgets = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    getRootElement={() => undefined}
    deduplicateCssVariables={false}
    withGlobalClasses={false}
  >
    {children}
  </MantineProvider>
)
