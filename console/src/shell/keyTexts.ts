import { areaTexts } from '#i18n/messages.ts'

/** What the shortcuts do. */
export const keyTexts = areaTexts(
  {
    title: 'Keyboard shortcuts',
    palette: 'Search the catalogue and jump to a screen',
    search: "Focus the page's search box",
    move: 'Next and previous row of a list',
    open: 'Open the selected row',
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
    save: '在编辑器中保存',
    find: '在编辑器中查找和替换',
    leave: '离开编辑器',
    close: '关闭弹窗或面板；从搜索框回到列表',
    help: '显示此列表',
  },
)
