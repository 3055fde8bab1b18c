import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import type { Area } from './area.ts'

/** To the editor of a new one. */
export function AddLink({ area: { kind, refusals } }: { area: Area }) {
  const { add } = useMessages().kinds[kind]
  const { create: refusal } = refusals(useMe())
  if (refusal) {
    return (
      <Button variant="primary" icon={Plus} reason={refusal}>
        {add}
      </Button>
    )
  }
  return (
    <Link to={`${AREAS[kind].path}/new`} className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {add}
    </Link>
  )
}
