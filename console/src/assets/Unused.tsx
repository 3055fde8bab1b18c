import { assetsApi, type UnusedInput } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { fileSize } from '#lib/sizes.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { useAssetRights } from './rights.ts'
import { assetTexts } from './texts.ts'
import css from './Unused.module.css'

/** Most assets moved to the trash at once, and the count from which on the total is not exact. */
const LIMITS = { moved: 1000, counted: 10_000 }

interface Props {
  /** The list's other filters, and when the server read it. */
  filters: UnusedInput
  total: number
  /** Bytes of all of them. */
  size: number
}

/** How much space unused assets take, and a button that moves them to the trash. */
export function Unused({ filters, total, size }: Props) {
  const texts = assetTexts.use()
  const { noClearing } = useAssetRights()
  const [asking, setAsking] = useState(false)
  const undo = useMutation({
    mutationFn: (batch: string) => call(assetsApi.restoreUnused, { body: { batch } }),
    meta: { failure: texts.unclearFailed },
    onSuccess: ({ count }) => toast.success(assetTexts.get().unclear(count)),
  })
  const clear = useMutation({
    mutationFn: () => call(assetsApi.trashUnused, { body: filters }),
    meta: { failure: texts.clearFailed },
    onSuccess: ({ count, batch }) => offerUndo(assetTexts.get().cleared(count), () => undo.mutateAsync(batch)),
  })
  const close = () => setAsking(false)
  return (
    <>
      <Row justify="between" wrap className={css.unused}>
        <p className={css.total}>
          {total > LIMITS.counted
            ? texts.unusedMany(LIMITS.counted, fileSize(size))
            : texts.unusedTotal(total, fileSize(size))}
        </p>
        <Button icon={Trash2} reason={noClearing} onClick={() => setAsking(true)}>
          {texts.clear}
        </Button>
      </Row>
      {asking && (
        <Confirm
          title={texts.clearTitle}
          confirm={texts.clearConfirm}
          onConfirm={() => clear.mutateAsync()}
          onClose={close}
        >
          <p>{total > LIMITS.moved ? texts.clearFirst(LIMITS.moved) : texts.clearQuestion(total, fileSize(size))}</p>
          <Muted as="p" className={css.hint}>
            {texts.clearHint}
          </Muted>
        </Confirm>
      )}
    </>
  )
}
