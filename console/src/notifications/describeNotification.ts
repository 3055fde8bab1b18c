import type { BATCH_EFFECTS, BATCH_KINDS, Notification } from '@mokuroku/contract/notifications'
import { CircleCheck, ImageOff, KeyRound, type LucideIcon, MessageSquare, Undo2 } from 'lucide-react'
import { localized } from '#i18n/errors.ts'
import { AREAS, screenOf } from '#lib/areas.ts'
import { nameOfEntity } from '#parts/titles.ts'
import type { texts } from './texts.ts'

/** What a notification shows: a sentence, its subject, details, and where it links to. */
export interface NotificationText {
  icon: LucideIcon
  tone: 'success' | 'warning' | 'danger' | 'accent'
  sentence: string
  /** A name from the catalogue, a file name or an address, verbatim. */
  about?: { text: string; lang?: string | undefined } | undefined
  detail?: string
  to: string
  search?: Record<string, string>
}

type BatchKind = (typeof BATCH_KINDS | typeof BATCH_EFFECTS)[number]

/** Where notifications about batches link to, if not to the translations. */
const BATCH_SCREENS: Partial<Record<BatchKind, string>> = {
  tagReplacement: AREAS.Tag.path,
  change: '/batches',
  delete: '/batches',
  restore: '/batches',
  import: '/import',
}

/** Describes a notification in `language`, the console's. `device` turns a User-Agent header into plain words. */
export function describeNotification(
  notification: Notification,
  words: ReturnType<typeof texts.get>,
  language: string,
  device: (userAgent: string) => string,
): NotificationText {
  const { kind, data } = notification
  switch (kind) {
    case 'BATCH_FINISHED':
      return {
        icon: CircleCheck,
        tone: data.failed > 0 ? 'warning' : 'success',
        sentence: words.batch[data.effect ?? data.what](data.count),
        ...(data.failed > 0 && { detail: words.left(data.failed) }),
        to: BATCH_SCREENS[data.effect ?? data.what] ?? '/translations',
      }
    case 'ASSET_FAILED':
      return {
        icon: ImageOff,
        tone: 'danger',
        sentence: words.assetFailed,
        about: { text: data.filename },
        detail: localized(data.failure),
        to: screenOf('Asset', data.assetId),
      }
    case 'CHANGES_ROLLED_BACK':
      return {
        icon: Undo2,
        tone: 'warning',
        sentence: words.rolledBack(data.by, data.count),
        ...(data.count === 1 && { about: nameOfEntity(data, language) }),
        detail: data.reason,
        to: data.count === 1 ? screenOf(data.entityType, data.entityId) : '/translations',
      }
    case 'COMMENTED':
      return {
        icon: MessageSquare,
        tone: 'accent',
        sentence: data.mentioned ? words.mentioned(data.by) : words.commented(data.by),
        about: nameOfEntity(data, language),
        detail: data.text || words.commentDeleted,
        to: screenOf(data.entityType, data.entityId),
        ...(data.text && { search: { comments: data.commentId } }),
      }
    case 'NEW_SIGN_IN':
      return {
        icon: KeyRound,
        tone: 'accent',
        sentence: words.newSignIn,
        about: { text: `${device(data.userAgent)} · ${data.address}` },
        detail: words.newSignInHint,
        to: '/profile',
      }
  }
}
