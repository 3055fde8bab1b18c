import { areaTexts } from '#i18n/messages.ts'

/** What the shortcuts do. */
export const keyTexts = areaTexts(
  {
    title: 'Keyboard shortcuts',
    palette: 'Search the catalogue and jump to a screen',
    search: "Focus the page's search box",
    move: 'Next and previous row of a list',
    open: 'Open the selected row',
    edit: 'Edit the selected row, or what the screen shows',
    filter: 'Add a condition to a list',
    go: 'Go to a screen: dashboard, media, characters, tags, assets, translations (l), batches, ratings, score permissions (p), users, settings',
    save: 'Save in an editor',
    find: 'Find and replace in an editor',
    leave: 'Leave an editor',
    close: 'Close the open dialog or panel; move from the search box to the rows',
    help: 'Show this list',
  },
  {
    title: '键盘快捷键',
    palette: '搜索资料库并跳转到页面',
    search: '定位到搜索框',
    move: '列表的下一行和上一行',
    open: '打开所选行',
    edit: '编辑所选行或当前内容',
    filter: '为列表添加条件',
    go: '前往页面：仪表盘、作品、角色、标签、素材、翻译 (l)、批次、评分、积分权限 (p)、用户、设置',
    save: '在编辑器中保存',
    find: '在编辑器中查找和替换',
    leave: '离开编辑器',
    close: '关闭弹窗或面板；从搜索框回到列表',
    help: '显示此列表',
  },
)
