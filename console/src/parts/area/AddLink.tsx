import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import type { Area } from './area.ts'

/** Link to the editor for a new entity. */
export function AddLink({ area: { kind, refusals } }: { area: Area }) {
  const { add } = useMessages().kinds[kind]
  const { create: refusal } = refusals(useMe())
  if (refusal) {
    return (
      <Button variant="primary" icon={Plus} reason={refusal}>
        <span className="wide-only">{add}</span>
      </Button>
    )
  }
  return (
    <Link to={`${AREAS[kind].path}/new`} className={buttonClass({ variant: 'primary' })} title={add}>
      <Plus size={16} aria-hidden />
      <span className="wide-only">{add}</span>
    </Link>
  )
}
