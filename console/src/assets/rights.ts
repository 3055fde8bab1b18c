import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { useUploadRefusal } from '#parts/images/useUploadRefusal.ts'
import { assetTexts } from './texts.ts'

const MB = 1024 * 1024

/** What the signed-in user may do with assets: each `no…` is the reason why not, if any. Mirrors the server's rules. */
export function useAssetRights() {
  const { role, tier, permissions, _id } = useMe()
  const texts = assetTexts.use()
  const { refused } = useMessages()
  const isTrusted = role === 'admin' || role === 'moderator'
  return {
    /** Largest file in bytes. */
    maxBytes: permissions.maxUploadSizeMB * MB,
    noClearing: isTrusted ? undefined : texts.onlyTrusted,
    noUpload: useUploadRefusal(),
    noVideo: permissions.canUploadVideo ? undefined : texts.upload.noVideo(tier),
    noEdit: (owner: string | undefined) => {
      if (isTrusted) return undefined
      if (owner !== _id) return texts.notYours
      return permissions.canEditOwnContent ? undefined : refused.canEditOwnContent(tier)
    },
  }
}
