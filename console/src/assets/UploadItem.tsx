import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, FileUp, RotateCw, X } from 'lucide-react'
import { memo } from 'react'
import { lostConnection } from '#api/connection.ts'
import { localized } from '#i18n/errors.ts'
import { fileSize } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { IconButton } from '#ui/Button.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { cancelUpload, hasFailed, isUnfinished, retryUpload, type Upload } from './uploads.ts'
import css from './UploadPanel.module.css'
import { assetTexts } from './texts.ts'

const ICONS = { waiting: FileUp, sending: FileUp, done: CircleCheck, failed: CircleAlert }

interface Props {
  upload: Upload
  /** Called when a link that leaves the panel is followed; absent beside the asset whose file it replaces. */
  onLeave?: () => void
}

/** A file that is uploading, uploaded, or failed. Memoized: of hundreds, only those that changed are rendered again. */
export const UploadItem = memo(function UploadItem({ upload, onLeave }: Props) {
  const assets = assetTexts.use()
  const { upload: texts } = assets
  const { key, file, state, asset, replaces } = upload
  const shown = hasFailed(upload) ? 'failed' : state
  const Icon = ICONS[shown]
  // Its file may have been replaced already, whatever is cancelled now.
  const isTooLate = replaces !== undefined && state === 'sending' && upload.sent >= file.size
  return (
    <li className={css.item} data-state={shown}>
      <Icon size={18} aria-hidden className={css.icon} />
      <Stack className={css.about}>
        {asset ? (
          <Link to={`/assets/${asset._id}`} className={css.name} lang={guessLanguage(file.name)} onClick={onLeave}>
            {asset.filename}
          </Link>
        ) : (
          <span className={css.name} lang={guessLanguage(file.name)}>
            {file.name}
          </span>
        )}
        {replaces && !asset && onLeave && (
          <Link to={`/assets/${replaces._id}`} className={css.replaces} onClick={onLeave}>
            {texts.replaces(replaces.filename)}
          </Link>
        )}
        <Progress upload={upload} />
      </Stack>
      {state === 'failed' && upload.canRetry && (
        <IconButton size="small" icon={RotateCw} label={texts.retry(file.name)} onClick={() => retryUpload(key)} />
      )}
      <IconButton
        size="small"
        icon={X}
        label={isUnfinished(upload) ? texts.cancel(file.name) : texts.dismiss(file.name)}
        reason={isTooLate ? texts.checking : undefined}
        onClick={() => cancelUpload(key)}
      />
    </li>
  )
})

function Progress({ upload: { file, state, sent, problem, asset, replaces } }: { upload: Upload }) {
  const assets = assetTexts.use()
  const { upload: texts } = assets
  const isLost = lostConnection.use() !== undefined
  const amounts = `${fileSize(sent)} / ${fileSize(file.size)}`
  if (state === 'failed') return <span className={css.problem}>{problem}</span>
  if (state === 'waiting')
    return (
      <Muted className={css.state}>
        {isLost ? texts.unconnected : texts.waiting}
        {isLost && sent > 0 && ` · ${amounts}`}
      </Muted>
    )
  if (asset?.status === 'ERROR') return <span className={css.problem}>{asset.failure && localized(asset.failure)}</span>
  if (state === 'done') {
    const isDuplicate = asset?.duplicateOf !== undefined
    return (
      <Muted className={css.state}>
        {fileSize(file.size)} ·{' '}
        {asset?.status === 'READY' ? (replaces ? texts.replaced : texts.done) : assets.statuses.PROCESSING}
        {isDuplicate && ` · ${texts.duplicate}`}
      </Muted>
    )
  }
  const isSent = sent >= file.size
  return (
    <>
      <progress className={css.bar} value={sent} max={file.size} aria-label={texts.sending(file.name)} />
      <Muted className={css.state}>{isSent ? texts.checking : amounts}</Muted>
    </>
  )
}
