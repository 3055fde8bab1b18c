import { createTheme, type CSSVariablesResolver } from '@mantine/core'

/** Mantine's widgets in our tokens. Only its behaviour is wanted: menus, popovers, choice lists. */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'var(--radius-2)',
  respectReducedMotion: true,
  components: {
    // Plain objects, not Menu.extend(): that would put the widgets into the first load of every screen.
    Menu: { defaultProps: { ...floating(), withInitialFocusPlaceholder: false, loop: true } },
    Popover: { defaultProps: floating() },
    Combobox: { defaultProps: { ...floating(), keepMounted: false } },
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

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: everywhere, dark: everywhere })
