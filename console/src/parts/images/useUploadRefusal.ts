import { useMe } from '#api/session.ts'
import { imageTexts } from './texts.ts'

/** Why the signed-in user may not upload files; undefined if they may. */
export function useUploadRefusal(): string | undefined {
  const { noUpload } = imageTexts.use()
  const { tier, permissions } = useMe()
  return permissions.maxUploadSizeMB > 0 ? undefined : noUpload(tier)
}
