import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * Renders at the end of the document, so that a dialog opened in a row does not inherit the row's opacity or alignment.
 */
export const Portal = ({ children }: { children: ReactNode }) => createPortal(children, document.body)
