import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { assetTexts } from './texts.ts'

const MB = 1024 * 1024

/** What the signed-in user can do with assets, and why not. Mirrors the server's rules. */
export function useAssetRights() {
  const { role, tier, permissions, _id } = useMe()
  const texts = assetTexts.use()
  const { refused } = useMessages()
  const isTrusted = role === 'admin' || role === 'moderator'
  return {
    /** Bytes in one file. */
    most: permissions.maxUploadSizeMB * MB,
    noClearing: isTrusted ? undefined : texts.onlyTrusted,
    noUpload: permissions.maxUploadSizeMB > 0 ? undefined : texts.upload.refused(tier),
    noEdit: (owner: string | undefined) => {
      if (isTrusted) return undefined
      if (owner !== _id) return texts.notYours
      return permissions.canEditOwnContent ? undefined : refused.canEditOwnContent(tier)
    },
  }
}
