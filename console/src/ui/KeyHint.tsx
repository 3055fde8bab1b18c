import type { ReactNode } from 'react'
import css from './KeyHint.module.css'

/** A hint about keys, for those who have a keyboard: hidden where the pointer is a finger. */
export const KeyHint = ({ children }: { children: ReactNode }) => <span className={css.hint}>{children}</span>
