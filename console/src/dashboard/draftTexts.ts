import { areaTexts } from '#i18n/messages.ts'

export const draftTexts = areaTexts(
  {
    title: 'Your drafts',
    subtitle: 'Your unsaved edits in this browser',
    empty: 'No drafts',
    emptyHint: 'What you write in an editor is kept here until you save it.',
    newOne: (kind: string) => `New: ${kind}`,
    whole: 'Full text',
    discard: 'Discard',
    discardOf: (name: string) => `Discard the draft of ${name}`,
    discarded: 'Draft discarded',
  },
  {
    title: '您的草稿',
    subtitle: '您在此浏览器中尚未保存的编辑',
    empty: '暂无草稿',
    emptyHint: '您在编辑器中输入的内容会保留在这里，直到保存。',
    newOne: (kind) => `新建：${kind}`,
    whole: '全文',
    discard: '放弃',
    discardOf: (name) => `放弃“${name}”的草稿`,
    discarded: '草稿已放弃',
  },
)
