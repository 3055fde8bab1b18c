import { areaTexts } from '#i18n/messages.ts'

/** Texts of the command palette. */
export const paletteTexts = areaTexts(
  {
    title: 'Search',
    placeholder: 'Search the catalogue, or type a command',
    screens: 'Screens',
    actions: 'Actions',
    themeIs: (theme: string) => `Theme: ${theme}`,
    keys: 'Keyboard shortcuts',
  },
  {
    title: '搜索',
    placeholder: '搜索资料库，或输入命令',
    screens: '页面',
    actions: '操作',
    themeIs: (theme) => `外观：${theme}`,
    keys: '键盘快捷键',
  },
)
