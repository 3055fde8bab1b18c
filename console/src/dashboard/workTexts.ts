import type { FindingCode } from '@mokuroku/contract/findings'
import { areaTexts } from '#i18n/messages.ts'

/** The sentence for a number of entities with a finding; `language` is the name of the affected language, or ''. */
type Sentence = (count: string, language: string) => string
const inLanguage = (language: string) => language && ` in ${language}`

const english = {
  title: 'Needs work',
  sentences: {
    missing: (count, language) => `${count} without ${language || 'a title'}`,
    copied: (count, language) => `${count} ${count === '1' ? 'equals' : 'equal'} the original${inLanguage(language)}`,
    duplicate: (count) => (count === '1' ? '1 likely duplicate' : `${count} likely duplicates`),
    brokenLink: (count) => `${count} with a broken link`,
    script: (count, language) => `${count} in the wrong script${inLanguage(language)}`,
    mixed: (count, language) => `${count} with mixed Chinese forms${inLanguage(language)}`,
    placeholder: (count, language) => `${count} with placeholder text${inLanguage(language)}`,
    season: (count, language) => `${count} without the season number${inLanguage(language)}`,
    brackets: (count, language) => `${count} with unbalanced brackets${inLanguage(language)}`,
    spaces: (count, language) => `${count} with stray spaces${inLanguage(language)}`,
    ellipsis: (count, language) => `${count} with dots for an ellipsis${inLanguage(language)}`,
    futureCompleted: (count) => `${count} completed before release`,
    noTags: (count) => `${count} without tags`,
    noCharacters: (count) => `${count} without characters`,
    noDescription: (count) => `${count} without a description`,
    noCover: (count) => `${count} without a cover`,
  } satisfies Record<FindingCode, Sentence>,
  unused: (count: string, size: string) => `${count} unused ${count === '1' ? 'file' : 'files'}, ${size}`,
  failed: (count: string) => (count === '1' ? '1 failed upload' : `${count} failed uploads`),
  drafts: (count: string) => `${count} of your drafts`,
  workThrough: 'Work through',
  workThroughOf: (what: string) => `Work through ${what}`,
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show fewer',
  checking: (done: string, total: string) => `The catalogue is being checked: ${done} of ${total}.`,
  change: (change: string, days: number) => (days === 1 ? `${change} since yesterday` : `${change} in ${days} days`),
  unchanged: (days: number) => (days === 1 ? 'Unchanged since yesterday' : `Unchanged for ${days} days`),
  points: (change: string) => `${change} points`,
  noPast: 'Trends appear from tomorrow on.',
  languages: 'Completeness',
  noEntries: 'The catalogue is empty.',
  share: (percent: string, filled: string, of: string) => `${percent}: ${filled} of ${of}`,
  missing: (count: string, language: string) => `${count} without ${language}`,
}

const chinese: typeof english = {
  title: '待处理',
  sentences: {
    missing: (count, language) => `${count} 个缺少${language || '标题'}`,
    copied: (count, language) => `${count} 个${language}与原文相同`,
    duplicate: (count) => `${count} 个疑似重复`,
    brokenLink: (count) => `${count} 个链接失效`,
    script: (count, language) => `${count} 个${language}混有其他文字`,
    mixed: (count, language) => `${count} 个${language}简繁混用`,
    placeholder: (count, language) => `${count} 个${language}为占位文字`,
    season: (count, language) => `${count} 个${language}缺少季数`,
    brackets: (count, language) => `${count} 个${language}括号不成对`,
    spaces: (count, language) => `${count} 个${language}有多余空格`,
    ellipsis: (count, language) => `${count} 个${language}省略号有误`,
    futureCompleted: (count) => `${count} 个未发行却已完结`,
    noTags: (count) => `${count} 个没有标签`,
    noCharacters: (count) => `${count} 个没有角色`,
    noDescription: (count) => `${count} 个没有简介`,
    noCover: (count) => `${count} 个没有封面`,
  },
  unused: (count, size) => `${count} 个未使用的文件，共 ${size}`,
  failed: (count) => `${count} 个上传失败`,
  drafts: (count) => `您有 ${count} 份草稿`,
  workThrough: '逐条处理',
  workThroughOf: (what) => `逐条处理：${what}`,
  showAll: (count) => `显示全部 ${count} 项`,
  showFewer: '收起',
  checking: (done, total) => `正在检查资料库：${done} / ${total}。`,
  change: (change, days) => (days === 1 ? `较昨天 ${change}` : `${days} 天内 ${change}`),
  unchanged: (days) => (days === 1 ? '与昨天相同' : `${days} 天内无变化`),
  points: (change) => `${change} 个百分点`,
  noPast: '从明天起显示这些数字的变化。',
  languages: '完整度',
  noEntries: '资料库还是空的。',
  share: (percent, filled, of) => `${percent}：${filled} / ${of}`,
  missing: (count, language) => `${count} 个缺少${language}`,
}

export const workTexts = areaTexts(english, chinese)
