import type { Translated } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'

interface Props {
  kind: Translated
  /** Shows its label, for an empty state. */
  isLabelled?: boolean
}

/** Link from a list to the import screen for its kind. */
export function ImportLink({ kind, isLabelled = false }: Props) {
  const { shell } = useMessages()
  return (
    <Link
      to="/import"
      search={{ kind }}
      className={buttonClass(isLabelled ? {} : { variant: 'quiet', icon: true })}
      title={shell.import}
    >
      <FileUp size={17} strokeWidth={1.75} aria-hidden />
      <span className={isLabelled ? undefined : 'sr-only'}>{shell.import}</span>
    </Link>
  )
}
