import { areaTexts } from '#i18n/messages.ts'

/** Texts that every list shows initially; those of the filters are loaded with the first filter. */
export const rowTexts = areaTexts(
  {
    add: 'Add condition',
    work: 'Work through',
    export: 'Export',
    count: (total: string) => (total === '1' ? '1 result' : `${total} results`),
  },
  {
    add: '添加条件',
    work: '逐条处理',
    export: '导出',
    count: (total: string) => `共 ${total} 条`,
  },
)
