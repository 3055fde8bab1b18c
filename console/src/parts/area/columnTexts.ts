import { areaTexts } from '#i18n/messages.ts'

/** Columns that lists of several kinds have, and the dialog for choosing them. */
export const columnTexts = areaTexts(
  {
    columns: 'Columns',
    title: 'Columns of this list',
    hint: 'Saved with your account.',
    inView: 'Saved in the URL of this view.',
    usual: 'Default columns',
    layout: 'Layout',
    cards: 'Cards',
    table: 'Table',
    tags: 'Tags',
    moreTags: (count: number) => `+${count} more`,
    createdAt: 'Created',
    updatedAt: 'Updated',
  },
  {
    columns: '列',
    title: '此列表的列',
    hint: '随您的账号保存。',
    inView: '保存在此视图的链接中。',
    usual: '默认列',
    layout: '布局',
    cards: '卡片',
    table: '表格',
    tags: '标签',
    moreTags: (count) => `另有 ${count} 个`,
    createdAt: '创建时间',
    updatedAt: '更新时间',
  },
)
