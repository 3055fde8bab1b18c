import { Link } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { Button, buttonClass } from '#ui/Button.tsx'

interface Props {
  to: string
  /** Why the user may not edit it. */
  refusal: string | undefined
  primary?: boolean
}

/** Link from an entity's screen to its editor. */
export function EditLink({ to, refusal, primary }: Props) {
  const { common } = useMessages()
  const variant = primary ? 'primary' : 'default'
  if (refusal) {
    return (
      <Button data-edit variant={variant} icon={SquarePen} reason={refusal}>
        {common.edit}
      </Button>
    )
  }
  return (
    <Link to={to} className={buttonClass({ variant })}>
      <SquarePen size={16} aria-hidden />
      {common.edit}
    </Link>
  )
}
