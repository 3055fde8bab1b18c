import type { MediaRow } from '@mokuroku/contract/media'
import { areaTexts } from '#i18n/messages.ts'

type Types = Record<MediaRow['mediaType'], string>

/** Names of the media types. */
export const inEnglish: Types = { ANIME: 'Anime', MANGA: 'Manga', NOVEL: 'Novel' }
export const inChinese: Types = { ANIME: '动画', MANGA: '漫画', NOVEL: '小说' }

export const mediaTypes = areaTexts(inEnglish, inChinese)
