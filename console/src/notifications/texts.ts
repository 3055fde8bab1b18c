import { areaTexts } from '#i18n/messages.ts'

export const texts = areaTexts(
  {
    empty: 'No notifications yet',
    emptyHint: 'Finished batches, failed uploads and rollbacks of your changes appear here.',
    markAll: 'Mark all as read',
    all: 'Show all notifications',
    failed: 'Failed to load notifications',
    markFailed: 'Failed to mark the notifications as read',
    loading: 'Loading notifications…',
    isUnread: 'Unread',
    batch: {
      translations: (count: number) => (count === 1 ? '1 media item was saved' : `${count} media items were saved`),
      rollback: (count: number) => (count === 1 ? '1 change was rolled back' : `${count} changes were rolled back`),
      tagReplacement: (count: number) =>
        count === 1 ? 'The tag was replaced in 1 place' : `The tag was replaced in ${count} places`,
      change: (count: number) => (count === 1 ? '1 item was changed' : `${count} items were changed`),
    },
    left: (count: number) => `${count} could not be changed`,
    assetFailed: 'An upload could not be processed',
    rolledBack: (by: string, count: number) =>
      count === 1 ? `${by} rolled back your change` : `${by} rolled back ${count} of your changes`,
    mentioned: (by: string) => `${by} mentioned you in a comment`,
    commented: (by: string) => `${by} replied in a discussion that you took part in`,
    newSignIn: 'New sign-in to your account',
    newSignInHint: 'If this was not you, end that session and change your password.',
  },
  {
    empty: '暂无通知',
    emptyHint: '批量操作完成、上传失败或您的修改被回滚时，会在这里通知您。',
    markAll: '全部标为已读',
    all: '显示全部通知',
    failed: '无法加载通知',
    markFailed: '将通知标为已读失败',
    loading: '正在加载通知…',
    isUnread: '未读',
    batch: {
      translations: (count) => `已保存 ${count} 部作品`,
      rollback: (count) => `已回滚 ${count} 处更改`,
      tagReplacement: (count) => `已在 ${count} 处替换标签`,
      change: (count) => `已更改 ${count} 项`,
    },
    left: (count) => `${count} 项未能更改`,
    assetFailed: '有文件处理失败',
    rolledBack: (by, count) => (count === 1 ? `${by} 回滚了您的修改` : `${by} 回滚了您的 ${count} 处修改`),
    mentioned: (by) => `${by} 在评论中提到了您`,
    commented: (by) => `${by} 在您参与的讨论中发表了评论`,
    newSignIn: '您的账号在新设备登录',
    newSignInHint: '非本人操作？请退出该设备并修改密码。',
  },
)
