import { areaTexts } from '#i18n/messages.ts'

export const viewTexts = areaTexts(
  {
    views: (list: string) => `Views of ${list}`,
    count: (count: number) => `Views (${count})`,
    save: 'Save view',
    edit: (name: string) => `Edit the view ${name}`,
    shared: 'shared',
    by: (name: string) => `by ${name}`,
    failed: 'Failed to load the saved views.',
  },
  {
    views: (list: string) => `${list}的视图`,
    count: (count: number) => `视图（${count}）`,
    save: '保存视图',
    edit: (name: string) => `编辑视图“${name}”`,
    shared: '已共享',
    by: (name: string) => `由 ${name} 创建`,
    failed: '无法加载保存的视图。',
  },
)
