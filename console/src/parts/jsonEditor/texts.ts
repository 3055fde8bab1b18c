import { areaTexts } from '#i18n/messages.ts'

export const texts = areaTexts(
  {
    label: 'Find and replace',
    find: 'Find',
    replaceWith: 'Replace with',
    previous: 'Previous match (Shift Enter)',
    next: 'Next match (Enter)',
    matchCase: 'Match case',
    wholeWord: 'Whole words',
    regexp: 'Regular expression',
    invalid: 'This is not a valid regular expression',
    replace: 'Replace',
    replaceAll: 'Replace all',
    close: 'Close the find panel (Esc)',
    count: (current: number, all: number, max: number) => {
      if (all === 0) return 'No match'
      const total = all >= max ? `${max}+` : `${all}`
      if (current > 0) return `${current} of ${total}`
      return all === 1 ? '1 match' : `${total} matches`
    },
  },
  {
    label: '查找和替换',
    find: '查找',
    replaceWith: '替换为',
    previous: '上一处（Shift Enter）',
    next: '下一处（Enter）',
    matchCase: '区分大小写',
    wholeWord: '全字匹配',
    regexp: '正则表达式',
    invalid: '正则表达式无效',
    replace: '替换',
    replaceAll: '全部替换',
    close: '关闭查找面板（Esc）',
    count: (current, all, max) => {
      if (all === 0) return '没有匹配'
      const total = all >= max ? `${max}+` : `${all}`
      return current > 0 ? `第 ${current} 处，共 ${total} 处` : `共 ${total} 处`
    },
  },
)
