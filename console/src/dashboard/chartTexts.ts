import { areaTexts } from '#i18n/messages.ts'

export const chartTexts = areaTexts(
  {
    empty: 'No tags yet',
    category: 'Category',
    tagsCount: 'Tags Count',
    totalUsage: 'Total Usage',
    ownScale: 'Each line has its own scale.',
    keys: 'Use the left and right arrow keys to read each category.',
  },
  {
    empty: '暂无标签',
    category: '类别',
    tagsCount: '标签数',
    totalUsage: '总使用次数',
    ownScale: '两条折线的刻度不同。',
    keys: '用左右方向键逐个查看类别。',
  },
)
