import { areaTexts } from '#i18n/messages.ts'

const en = {
  use: 'Use',
  allUses: 'Used or not',
  unused: 'Unused',
  used: 'Used',
  unusedTotal: (count: number, size: string) => `${count === 1 ? '1 unused asset' : `${count} unused assets`}, ${size}`,
  unusedMany: (count: number, size: string) => `More than ${count} unused assets, ${size} and more`,
  clear: 'Move all to the trash',
  clearTitle: 'Move unused assets to the trash',
  clearQuestion: (count: number, size: string) =>
    count === 1 ? `Move 1 unused asset (${size}) to the trash?` : `Move ${count} unused assets (${size}) to the trash?`,
  clearFirst: (most: number) => `Move the oldest ${most} unused assets to the trash?`,
  clearHint: 'Only what nothing uses goes, and it can be restored for 30 days.',
  clearConfirm: 'Move to the trash',
  cleared: (count: number) => (count === 1 ? '1 asset moved to the trash' : `${count} assets moved to the trash`),
  clearFailed: 'Failed to move the assets to the trash',
  unclear: (count: number) => (count === 1 ? '1 asset restored' : `${count} assets restored`),
  unclearFailed: 'Failed to restore the assets',
  onlyTrusted: 'Only moderators and administrators may clear up the assets of others.',
  metadata: 'Metadata',
  metadataRemoved: 'Removed',
  metadataKept: 'Kept',
  metadataKeptHint: 'Place, device and tags could not be taken out of this file without losing part of it.',
}

const zh: typeof en = {
  use: '使用情况',
  allUses: '不限使用情况',
  unused: '未使用',
  used: '已使用',
  unusedTotal: (count, size) => `${count} 个未使用的素材，共 ${size}`,
  unusedMany: (count, size) => `超过 ${count} 个未使用的素材，至少 ${size}`,
  clear: '全部移入回收站',
  clearTitle: '将未使用的素材移入回收站',
  clearQuestion: (count, size) => `要将 ${count} 个未使用的素材（${size}）移入回收站吗？`,
  clearFirst: (most) => `要将最早的 ${most} 个未使用的素材移入回收站吗？`,
  clearHint: '只会移走未被使用的素材，30 天内可以恢复。',
  clearConfirm: '移入回收站',
  cleared: (count) => `已将 ${count} 个素材移入回收站`,
  clearFailed: '未能将素材移入回收站',
  unclear: (count) => `已恢复 ${count} 个素材`,
  unclearFailed: '未能恢复素材',
  onlyTrusted: '只有版主和管理员可以清理他人的素材。',
  metadata: '元数据',
  metadataRemoved: '已清除',
  metadataKept: '保留',
  metadataKeptHint: '清除此文件中的地点、设备和标签会损失其部分内容，因此予以保留。',
}

export const assetTexts = areaTexts(en, zh)
