import type { Capability } from '@mokuroku/contract/tiers'
import type { Role } from '@mokuroku/contract/users'

/** Names of the roles of users, and of the permissions that a tier grants or withholds, in display order. */
interface Names {
  roles: Record<Role, string>
  capabilities: Record<Capability, string>
}

export const inEnglish: Names = {
  roles: { user: 'User', admin: 'Admin', moderator: 'Moderator' },
  capabilities: {
    canCreateMedia: 'Create media',
    canCreateCharacter: 'Create characters',
    canCreateTag: 'Create tags',
    canEditOwnContent: 'Edit own content',
    canEditAnyContent: 'Edit any content',
    canRateContent: 'Rate content',
    canCommentUnrestricted: 'Comment without limits',
    canAccessPremiumContent: 'Premium content',
    canUploadVideo: 'Upload videos',
  },
}

export const inChinese: Names = {
  roles: { user: '普通用户', admin: '管理员', moderator: '审核员' },
  capabilities: {
    canCreateMedia: '新建作品',
    canCreateCharacter: '新建角色',
    canCreateTag: '新建标签',
    canEditOwnContent: '编辑自己的内容',
    canEditAnyContent: '编辑任何内容',
    canRateContent: '评分',
    canCommentUnrestricted: '评论不受限制',
    canAccessPremiumContent: '访问高级内容',
    canUploadVideo: '上传视频',
  },
}
