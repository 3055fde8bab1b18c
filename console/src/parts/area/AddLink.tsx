import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import type { Area } from './area.ts'

interface Props {
  area: Area
  /** Shows the label on phones too, for an empty state. */
  isLabelled?: boolean
}

/** Link to the editor for a new entity. */
export function AddLink({ area: { kind, refusals }, isLabelled }: Props) {
  const { add } = useMessages().kinds[kind]
  const { create: refusal } = refusals(useMe())
  const label = <span className={isLabelled ? undefined : 'wide-only'}>{add}</span>
  if (refusal) {
    return (
      <Button variant="primary" icon={Plus} reason={refusal}>
        {label}
      </Button>
    )
  }
  return (
    <Link to={`${AREAS[kind].path}/new`} className={buttonClass({ variant: 'primary' })} title={add}>
      <Plus size={16} aria-hidden />
      {label}
    </Link>
  )
}
