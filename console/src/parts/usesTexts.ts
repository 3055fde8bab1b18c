import type { TrashKind } from '@mokuroku/contract/kinds'
import type { Uses } from '@mokuroku/contract/uses'
import { areaTexts } from '#i18n/messages.ts'
import { kindNamesIn } from '#lib/areas.ts'

const english = kindNamesIn('en')
const chinese = kindNamesIn('zh')

/** Where an entity is used. */
export const usesTexts = areaTexts(
  {
    loading: 'Checking where it is used…',
    failed: 'Could not check where it is used.',
    nowhere: 'Not used anywhere.',
    usedBy: (counts: string[]) => `It is used by ${new Intl.ListFormat('en').format(counts)}.`,
    count: ({ entityType, fields, count, isAtLeast }: Uses['by'][number]) => {
      const number = (isAtLeast ? 'at least ' : '') + count.toLocaleString('en')
      if (fields.includes('parentTag')) return count === 1 ? '1 tag as its parent' : `${number} tags as their parent`
      const { one, many } = english[entityType as TrashKind] ?? { one: entityType, many: entityType }
      return `${number} ${count === 1 ? one : many}`
    },
    more: (count: number) => `and ${count} more`,
  },
  {
    loading: '正在查找引用…',
    failed: '无法加载引用。',
    nowhere: '未被使用。',
    usedBy: (counts) => `它被${new Intl.ListFormat('zh').format(counts)}使用。`,
    count: ({ entityType, fields, count, isAtLeast }) => {
      const number = `${isAtLeast ? '至少 ' : ''}${count.toLocaleString('zh')}`
      if (fields.includes('parentTag')) return ` ${number} 个标签（作为上级标签）`
      return ` ${number} ${chinese[entityType as TrashKind]?.many ?? '处'}`
    },
    more: (count) => `另有 ${count} 个`,
  },
)
