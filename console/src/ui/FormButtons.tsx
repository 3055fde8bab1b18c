import type { ComponentProps } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'

interface Props extends ComponentProps<typeof Button> {
  /** Id of the form to submit. */
  form: string
  onCancel: () => void
  /** It only asks whether to go on: Cancel has the focus first. */
  isQuestion?: boolean
}

/** Footer of a dialog with a form: Cancel and the submit button. */
export function FormButtons({ onCancel, isQuestion, ...send }: Props) {
  const { common } = useMessages()
  return (
    <>
      <Button data-autofocus={isQuestion || undefined} onClick={onCancel}>
        {common.cancel}
      </Button>
      <Button type="submit" {...send} />
    </>
  )
}
