import { useState } from 'react'
import { useMessages } from '#i18n/messages.ts'

/** Beside Retry, for screen readers: that it is being loaded again, then that this failed too. */
export function Retrying({ busy }: { busy: boolean }) {
  const { common } = useMessages()
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy && !wasBusy) setWasBusy(true)
  return (
    <span role="status" className="sr-only">
      {busy ? common.loading : wasBusy && common.somethingFailed}
    </span>
  )
}
