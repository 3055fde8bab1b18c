import type { Tag } from '@mokuroku/contract/tags'
import { areaTexts } from '#i18n/messages.ts'

type Types = Record<Tag['type'], string>

/** Names of the tag types. */
export const inEnglish: Types = {
  GENRE: 'Genre',
  THEME: 'Theme',
  CHARACTER_TRAIT: 'Character Trait',
  CONTENT_WARNING: 'Content Warning',
  CUSTOM: 'Custom',
}
export const inChinese: Types = {
  GENRE: '题材',
  THEME: '主题',
  CHARACTER_TRAIT: '角色属性',
  CONTENT_WARNING: '内容预警',
  CUSTOM: '自定义',
}

export const tagTypes = areaTexts(inEnglish, inChinese)
