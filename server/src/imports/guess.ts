// Guesses which field a column is, from its header.
import {
  isImportField,
  type ImportMapping,
  type ImportType,
  REASON_HEADER,
  TRANSLATION_FIELDS,
} from '@mokuroku/contract/imports'
import { canonical } from '@mokuroku/contract/languageTags'
import { SIMPLIFIED_ONLY, TRADITIONAL_ONLY } from '@mokuroku/contract/findings/chineseForms'
import { kindOf } from '@mokuroku/contract/kinds'
import { normalize } from '@mokuroku/contract/normalize'

/** Other names of fields, in English, Chinese and Japanese, in the form that `bare` returns. */
const WORDS: Record<string, readonly string[]> = {
  _id: ['id', 'mokuroku id', 'entity id', '编号', '編號'],
  language: ['language', 'lang', 'locale', '语言', '語言', '言語'],
  title: [
    'title',
    'name',
    'translation',
    '标题',
    '標題',
    '名称',
    '名稱',
    '名字',
    '译名',
    '譯名',
    '名',
    '题',
    '題',
    '题名',
    '題名',
    '片名',
    '书名',
    '書名',
    '作品名',
    'タイトル',
    '名前',
    'キャラクター名',
  ],
  description: [
    'description',
    'synopsis',
    'summary',
    'overview',
    '描述',
    '简介',
    '簡介',
    '说明',
    '說明',
    '概要',
    'あらすじ',
  ],
  original: ['original title', 'original name', '原题', '原題', '原标题', '原名', '原作名', '原语标题', '原語標題'],
  mediaType: ['media type', 'type', 'format', 'kind', '类型', '類型', '种类', '種類', 'タイプ'],
  isOngoing: ['is ongoing', 'ongoing', 'airing', '连载中', '連載中', '更新中', '放送中', '状态', '狀態', 'status'],
  releaseDate: [
    'release date',
    'released',
    'release',
    'air date',
    'start date',
    'date',
    'premiere',
    '发布日期',
    '发行日期',
    '上映日期',
    '首播日期',
    '首播',
    '开播',
    '放送日期',
    '放送日',
    '开播日期',
    '日期',
    '公開日',
    '発売日',
    '放送開始',
    '放送開始日',
  ],
  aliases: ['aliases', 'alias', 'also known as', 'other titles', 'synonyms', '别名', '別名', '又名', '其他标题'],
  readings: [
    'readings',
    'reading',
    '読み',
    'よみ',
    'よみがな',
    '読みがな',
    '読み仮名',
    'ふりがな',
    'フリガナ',
    '读音',
    '讀音',
  ],
  duration: ['duration', 'length', 'minutes', '时长', '時長', '片长', '長さ'],
  episodes: ['episodes', 'episode count', 'chapters', 'volumes', '集数', '集數', '话数', '話数', '卷数', '巻数'],
  characters: ['characters', 'character', 'cast', '角色', '登場人物', 'キャラクター'],
  tags: ['tags', 'tag', 'genres', 'genre', '标签', '標籤', '类别', 'タグ', 'ジャンル'],
  cover: ['cover', 'cover image', 'poster', '封面', 'カバー'],
  assets: ['assets', 'files', '资源', '素材', '文件'],
  relatedMedia: ['related media', 'related', '相关媒体', '相关作品', '関連作品'],
  mediaRefs: ['media', 'appears in', 'works', '媒体', '作品', '登场作品', '出演作品'],
  type: ['type', 'tag type', 'category', '类型', '類型', '种类', '種類'],
  icon: ['icon', '图标', '圖示', 'アイコン'],
  color: ['color', 'colour', '颜色', '顏色', '色'],
  parentTag: ['parent tag', 'parent', '父标签', '上级标签', '上級標籤', '親タグ'],
  status: ['status', 'state', '状态', '狀態', '状態'],
}

/** The languages whose names are recognized in headers. */
const LANGUAGE_TAGS =
  'en ja zh zh-Hans zh-Hant ko fr de es it pt pt-BR ru uk pl nl sv da fi no cs hu ro el tr ar he fa hi th vi id ms tl'.split(
    ' ',
  )
const OTHER_NAMES: Record<string, readonly string[]> = {
  en: ['eng', '英'],
  ja: ['jp', 'jpn', 'japanese', '日', '邦', '日语', '日文', '日語'],
  zh: ['cn', 'chinese', '中文', '汉语', '漢語', '中'],
  'zh-Hans': [
    'simplified chinese',
    'chinese simplified',
    'zh cn',
    '简体中文',
    '简中',
    '简体',
    '中文简体',
    '簡体字',
    '簡体字中国語',
  ],
  'zh-Hant': [
    'traditional chinese',
    'chinese traditional',
    'zh tw',
    'zh hk',
    'tw',
    '繁體中文',
    '繁体中文',
    '繁中',
    '繁體',
    '繁体',
    '中文繁体',
    '中文繁體',
    '繁体字',
    '繁体字中国語',
  ],
}
/** Codes that are usually words in a header, “No.” and “Title ID”, unless the language is in use. */
const WORDLIKE_TAGS = new Set(['no', 'id'])
/** Endings of language names that are used interchangeably: 英语, 英文. */
const LANGUAGE_WORDS = ['语', '文', '語']

/** Normalizes a header: width, case and separators do not distinguish columns. */
const bare = (header: string): string =>
  normalize(header, 'NFKC')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_./:,、·-]+/g, ' ')
    .trim()

const LANGUAGE_NAMES: [name: string, tag: string][] = LANGUAGE_TAGS.flatMap((tag) => {
  const named = ['en', 'zh-Hans', 'zh-Hant', 'ja', tag].flatMap((language) => nameIn(language, tag))
  const chinese = named.flatMap((name) => {
    const stem = LANGUAGE_WORDS.find((end) => name.endsWith(end)) ? name.slice(0, -1) : undefined
    return stem && stem.length <= 3 ? LANGUAGE_WORDS.map((end) => stem + end) : []
  })
  return [...new Set([tag, ...named, ...chinese, ...(OTHER_NAMES[tag] ?? [])].map(bare))].map(
    (name): [string, string] => [name, tag],
  )
}).toSorted(([one], [other]) => other.length - one.length)

function nameIn(language: string, tag: string): string[] {
  const name = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(tag)
  return name ? [name] : []
}

interface Wanted {
  type: ImportType
  /** The fields of the kind. */
  fields: readonly string[]
  /** The languages in use, wanted ones first. */
  languages: readonly string[]
}

/**
 * The field of each column: from `known` (the user's earlier choices), by its exact path, or guessed from its words.
 */
export function guessMapping(headers: readonly string[], known: ImportMapping, wanted: Wanted): ImportMapping {
  const mapping: ImportMapping = Object.fromEntries(headers.map((header) => [header, null]))
  const taken = new Set<string>()
  const isField = (path: string): boolean => isImportField(wanted.type, wanted.fields, path)
  const take = (header: string, path: string | null | undefined): void => {
    if (path === null || path === undefined || mapping[header] !== null || taken.has(path) || !isField(path)) return
    mapping[header] = path
    taken.add(path)
  }
  const chosen = headers.filter((header) => Object.hasOwn(known, header))
  for (const header of chosen) take(header, known[header])
  const others = headers.filter((header) => !chosen.includes(header) && header !== REASON_HEADER)
  for (const header of others) take(header, canonicalPath(header))
  // Exact matches take precedence over guesses.
  for (const header of others) take(header, guess(header, wanted))
  return mapping
}

/**
 * A path with its language tag in canonical form: `translations.zh-hans.title` becomes `translations.zh-Hans.title`.
 */
function canonicalPath(header: string): string {
  const [first = '', tag = '', field = ''] = header.trim().split('.')
  if (first !== 'translations') return header.trim()
  return `translations.${canonical(tag) ?? tag}.${field}`
}

function guess(header: string, { type, fields, languages }: Wanted): string | undefined {
  const text = bare(header)
  if (type === 'Translation') return TRANSLATION_FIELDS.find((name) => WORDS[name]?.includes(text))
  const { title = '', original = '', fields: texts = [] } = kindOf(type).texts ?? {}
  const fieldOf = (word: string): string | undefined => {
    if (original && WORDS.original?.includes(word)) return original
    if (WORDS.title?.includes(word)) return title
    const known = Object.keys(WORDS).find(
      (name) => (fields.includes(name) || texts.includes(name) || name === '_id') && WORDS[name]?.includes(word),
    )
    return known ?? fields.find((name) => bare(name) === word)
  }
  const whole = fieldOf(text)
  if (whole !== undefined && !texts.includes(whole)) return whole
  const about = languageIn(text, languages)
  const word = about ? about.rest : text
  const field = word === '' ? title : fieldOf(word)
  if (original && field === original) return original
  if (field === undefined || !texts.includes(field)) return undefined
  return `translations.${inUse(about?.tag ?? languageOfWord(word, languages), languages)}.${field}`
}

/** The language that a header names, and the rest of the header. */
function languageIn(text: string, languages: readonly string[]): { tag: string; rest: string } | undefined {
  // “Chinese (Traditional)”, 中文（繁體）
  const flat = text.replaceAll(/[\s()[\]【】]+/g, ' ').trim()
  const whole = LANGUAGE_NAMES.find(([name]) => name === flat || name === flat.replaceAll(' ', ''))
  if (whole && flat !== text) return { tag: whole[1], rest: '' }
  const inner = /[([【](.+?)[)\]】]/.exec(text)
  const rest = inner ? text.replace(inner[0], ' ').replaceAll(/\s+/g, ' ').trim() : text
  if (inner) {
    const name = (inner[1] ?? '').trim()
    const found = LANGUAGE_NAMES.find(([each]) => each === name)
    return found && { tag: found[1], rest }
  }
  for (const [name, tag] of LANGUAGE_NAMES) {
    if (WORDLIKE_TAGS.has(name) && !languages.includes(tag)) continue
    const gap = /^[\p{Script=Latin} ]+$/u.test(name) ? ' ' : ''
    if (text === name) return { tag, rest: '' }
    if (text.endsWith(gap + name)) return { tag, rest: withoutLinks(text.slice(0, -(gap + name).length)) }
    if (text.startsWith(name + gap)) return { tag, rest: withoutLinks(text.slice((name + gap).length)) }
  }
  return undefined
}

const withoutLinks = (text: string): string => text.replace(/( in|的|の)$|^(的|の)/u, '').trim()

/** The language that a header is written in; that of its Chinese script, if this is in use. */
function languageOfWord(word: string, languages: readonly string[]): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]|名前/u.test(word)) return 'ja'
  if (!/\p{Script=Han}/u.test(word)) return 'en'
  const has = (forms: ReadonlySet<string>): boolean => Array.from(word).some((char) => forms.has(char))
  const tag = has(TRADITIONAL_ONLY) ? 'zh-Hant' : has(SIMPLIFIED_ONLY) ? 'zh-Hans' : 'zh'
  return languages.includes(tag) ? tag : 'zh'
}

/** The tag in use for a language; of several in its family, the first one in `languages`. */
function inUse(tag: string, languages: readonly string[]): string {
  if (languages.includes(tag)) return tag
  const family = languages.find((each) => each.split('-')[0] === tag)
  return tag.includes('-') ? tag : (family ?? tag)
}
