import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** At the end of the page: a dialog that is opened in a row takes on neither how the row is dimmed nor aligned. */
export const Outside = ({ children }: { children: ReactNode }) => createPortal(children, document.body)
