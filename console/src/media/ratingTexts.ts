import { areaTexts } from '#i18n/messages.ts'

/** Texts of the ratings on the media detail screen. */
export const ratingTexts = areaTexts(
  {
    histogram: 'Ratings by score',
    histogramHint: 'Each score is rounded to a whole number.',
    score: 'Score',
    number: 'Ratings',
    mine: 'Your rating',
    rate: 'Rate this',
    edit: 'Edit your rating',
    delete: 'Delete your rating',
    comment: 'Comment',
    commentHint: (limit: number) => `Optional. Up to ${limit} characters.`,
    plainHint: (limit: number) => `Optional. Plain text without links, up to ${limit} characters.`,
    given: 'Rating saved',
    giveFailed: 'Failed to save rating',
    mediaGone: 'This media item has been deleted in the meantime. Save again once it has been restored.',
    meanwhile: (score: string) =>
      `You rated this ${score} in another window. Save again to overwrite that, or cancel to keep it.`,
    gone: 'This rating has been deleted in the meantime. Save again to rate anew, or cancel to leave it deleted.',
    mineFailed: 'Failed to load your rating',
  },
  {
    histogram: '各分数的评分数',
    histogramHint: '分数四舍五入为整数。',
    score: '分数',
    number: '评分数',
    mine: '您的评分',
    rate: '评分',
    edit: '修改您的评分',
    delete: '删除您的评分',
    comment: '评论',
    commentHint: (limit) => `选填，最多 ${limit} 个字符。`,
    plainHint: (limit) => `选填，不含链接的纯文本，最多 ${limit} 个字符。`,
    given: '评分已保存',
    giveFailed: '保存评分失败',
    mediaGone: '此作品已被删除。恢复后可再次保存。',
    meanwhile: (score) => `您刚在另一个窗口评了 ${score} 分。再次保存会覆盖它，取消则保留它。`,
    gone: '此评分已被删除。再次保存会重新评分，取消则不再评分。',
    mineFailed: '无法加载您的评分',
  },
)
