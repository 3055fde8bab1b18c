import type { ComponentProps } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'

interface Props extends ComponentProps<typeof Button> {
  /** The id of the form that it sends. */
  form: string
  onCancel: () => void
}

/** At the foot of a dialog with a form: Cancel, and the button that sends it. */
export function FormButtons({ onCancel, ...send }: Props) {
  const { common } = useMessages()
  return (
    <>
      <Button onClick={onCancel}>{common.cancel}</Button>
      <Button type="submit" {...send} />
    </>
  )
}
