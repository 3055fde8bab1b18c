import { areaTexts } from '#i18n/messages.ts'

/** Texts needed before anything is selected; those of the actions are loaded with the first selection. */
export const selectTexts = areaTexts(
  {
    select: (name: string) => `Select ${name}`,
    page: 'Select all on this page',
    selected: (count: string) => `${count} selected`,
    cleared: 'The filters changed, so nothing is selected any more.',
    tooMany: (count: string) => `At most ${count} rows can be selected one by one. Select all that match instead.`,
  },
  {
    select: (name) => `选择${name}`,
    page: '选择本页全部',
    selected: (count) => `已选 ${count} 项`,
    cleared: '筛选条件已更改，已取消选择。',
    tooMany: (count) => `最多逐个选择 ${count} 项；更多请选择全部符合条件的条目。`,
  },
)
