import type { Role } from '@mokuroku/contract/users'

/** Names of the roles of users. */
export const inEnglish: Record<Role, string> = { user: 'User', admin: 'Admin', moderator: 'Moderator' }
export const inChinese: Record<Role, string> = { user: '普通用户', admin: '管理员', moderator: '审核员' }
