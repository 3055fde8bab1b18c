import type { FindingCode } from '@mokuroku/contract/findings'
import { areaTexts } from '#i18n/messages.ts'

/** Texts of the checks; `language` is the name of the language that a finding concerns. */
interface Texts {
  /** Heading of the findings while editing. */
  found: string
  sentences: Record<FindingCode, (language: string) => string>
  /** Heading of a stored entity's findings. */
  marks: (count: number) => string
  /** Link to the list of all entities with the same finding. */
  others: string
  noProblem: string
  reopen: string
  settled: (username: string, date: string) => string
  dismissed: string
  gone: string
  decisionFailed: string
  failed: string
}

const english: Texts = {
  found: 'Worth checking. You can still save.',
  sentences: {
    missing: (language) => `There is no title or name in ${language}.`,
    copied: (language) => `The text in ${language} equals the Japanese or original one.`,
    script: (language) => `This contains letters that ${language} does not use.`,
    latinOnly: () => 'This is in Latin letters only; the original title is not.',
    mixed: (language) => `This contains characters that ${language} does not use.`,
    spaces: () => 'There are spaces at the start or end, or several in a row.',
    brackets: () => 'A bracket is not closed, or not opened.',
    ellipsis: () => 'Use an ellipsis (……) instead of full stops.',
    placeholder: () => 'This looks like a placeholder.',
    season: () => 'The original title names the season; this one does not.',
    noCover: () => 'There is no cover.',
    noTags: () => 'There are no tags.',
    noDescription: () => 'There is no description in any language.',
    noCharacters: () => 'There are no characters.',
    futureCompleted: () => 'This is completed, but its release date is in the future.',
    duplicate: () => 'Another entry has the same title or name, and is probably the same.',
    brokenLink: () => 'This links to a file that is in the trash, or could not be processed.',
  },
  marks: (count) => `Found by the checks (${count})`,
  others: 'Show all with this finding',
  noProblem: 'Not a problem',
  reopen: 'Reopen',
  settled: (username, date) => `Dismissed by ${username}, ${date}`,
  dismissed: 'Finding dismissed',
  gone: 'This finding no longer exists.',
  decisionFailed: 'Failed to update the finding',
  failed: 'Failed to load what the checks found.',
}

const chinese: Texts = {
  found: '以下内容可能需要检查，不影响保存。',
  sentences: {
    missing: (language) => `没有${language}标题或名称。`,
    copied: (language) => `${language}文本与日语文本或原名相同。`,
    script: (language) => `含有${language}不使用的文字。`,
    latinOnly: () => '这里只有拉丁字母，原名则不是。',
    mixed: (language) => `含有${language}不使用的字形。`,
    spaces: () => '首尾有空格，或有连续空格。',
    brackets: () => '有不成对的括号。',
    ellipsis: () => '请使用省略号（……），而不是句点。',
    placeholder: () => '这看起来是占位文字。',
    season: () => '原名注明了季数，这里没有。',
    noCover: () => '没有封面。',
    noTags: () => '没有标签。',
    noDescription: () => '没有任何语言的简介。',
    noCharacters: () => '没有角色。',
    futureCompleted: () => '已完结，但发行日期在未来。',
    duplicate: () => '另有标题或名称相同的条目，很可能重复。',
    brokenLink: () => '链接的文件已在回收站中，或处理失败。',
  },
  marks: (count) => `检查发现（${count}）`,
  others: '查看所有同类',
  noProblem: '没有问题',
  reopen: '撤回',
  settled: (username, date) => `${username} 于 ${date} 标记为没有问题`,
  dismissed: '已标记为没有问题',
  gone: '此问题已不存在。',
  decisionFailed: '标记失败',
  failed: '无法加载检查结果。',
}

export const texts = areaTexts(english, chinese)
