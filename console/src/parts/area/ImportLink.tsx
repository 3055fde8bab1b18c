import type { Translated } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'

/** Link from a list to the import screen for its kind. */
export function ImportLink({ kind }: { kind: Translated }) {
  const { shell } = useMessages()
  return (
    <Link
      to="/import"
      search={{ kind }}
      className={buttonClass({ variant: 'quiet', icon: true })}
      aria-label={shell.import}
      title={shell.import}
    >
      <FileUp size={17} strokeWidth={1.75} aria-hidden />
    </Link>
  )
}
