import { areaTexts } from '#i18n/messages.ts'

export const coverTexts = areaTexts(
  {
    set: 'Set as cover',
    setOf: (filename: string) => `Set ${filename} as a cover`,
    isCover: 'Cover',
    title: 'Set as cover of…',
    search: 'Search media',
    hint: 'Search by title, in any language',
    help: 'The image becomes the cover of the media that you choose. You can undo it.',
    setting: 'Setting the cover…',
    done: (title: string) => `New cover for ${title}`,
    undone: (title: string) => `Restored the previous cover of ${title}`,
    failed: 'Failed to set the cover',
    stale: 'This cover was changed elsewhere. Try again to replace it.',
    gone: 'The image has been deleted in the meantime.',
  },
  {
    set: '设为封面',
    setOf: (filename) => `将 ${filename} 设为封面`,
    isCover: '封面',
    title: '设为哪部作品的封面？',
    search: '搜索作品',
    hint: '按任意语言的标题搜索',
    help: '图片将成为所选作品的封面，可以撤销。',
    setting: '正在设置封面…',
    done: (title) => `《${title}》已换上新封面`,
    undone: (title) => `《${title}》已恢复原封面`,
    failed: '设置封面失败',
    stale: '此封面其间已在别处更换。如要替换，请重试。',
    gone: '此图片已被删除。',
  },
)
