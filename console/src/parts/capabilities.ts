import type { Capability } from '@mokuroku/contract/tiers'

/** Names of the permissions that a tier grants or withholds, in display order. */
export const inEnglish: Record<Capability, string> = {
  canCreateMedia: 'Create media',
  canCreateCharacter: 'Create characters',
  canCreateTag: 'Create tags',
  canEditOwnContent: 'Edit own content',
  canEditAnyContent: 'Edit any content',
  canRateContent: 'Rate content',
  canCommentUnrestricted: 'Comment without limits',
  canAccessPremiumContent: 'Premium content',
  canUploadVideo: 'Upload videos',
}
export const inChinese: Record<Capability, string> = {
  canCreateMedia: '新建作品',
  canCreateCharacter: '新建角色',
  canCreateTag: '新建标签',
  canEditOwnContent: '编辑自己的内容',
  canEditAnyContent: '编辑任何内容',
  canRateContent: '评分',
  canCommentUnrestricted: '评论不受限制',
  canAccessPremiumContent: '访问高级内容',
  canUploadVideo: '上传视频',
}
