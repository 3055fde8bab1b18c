import { Link } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { Button, buttonClass } from '#ui/Button.tsx'

interface Props {
  to: string
  /** Why it may not be changed. */
  refusal: string | undefined
  primary?: boolean
}

/** To the editor of a thing, from a screen about it. */
export function EditLink({ to, refusal, primary }: Props) {
  const { common } = useMessages()
  const variant = primary ? 'primary' : 'default'
  if (refusal) {
    return (
      <Button variant={variant} icon={SquarePen} reason={refusal}>
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
