/** Moves the focus to the start of the screen. */
export const focusScreen = (options?: FocusOptions) => document.querySelector('main')?.focus(options)
