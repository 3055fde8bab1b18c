import type { TrashKind } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'

/** Links from a list to the deleted entities of its kind. */
export function TrashLink({ kind }: { kind: TrashKind }) {
  const { shell } = useMessages()
  return (
    <Link
      to="/trash"
      search={{ kind }}
      className={buttonClass({ variant: 'quiet', icon: true })}
      aria-label={shell.trash}
      title={shell.trash}
    >
      <Trash2 size={17} strokeWidth={1.75} aria-hidden />
    </Link>
  )
}
