// The golden set for evaluating a provider's answers: works of the reference data, and made-up topics.
import { type BangumiItem, bangumiItems, releaseOf } from '../server/src/lib/bangumi.ts'
import { hash } from '../server/src/sample/seed.ts'
import { search } from '../server/src/search/store.ts'

export interface Golden {
  /** The title that is asked about. */
  topic: string
  /** The language of the topic. */
  asked: string
  /** All its titles, by language. */
  titles: Record<string, string[]>
  originalTitle: string
  /** An ISO moment. */
  releaseDate: string
}

const LANGUAGES = ['ja', 'en', 'zh-Hans', 'zh-Hant']

/** Made-up topics: some sound like titles, in several languages, others do not. */
export const UNKNOWN = [
  'The Clockwork Orchard of Vellamy',
  'Captain Thistlewick and the Glass Tide',
  'Seventeen Letters to a Lighthouse on Mars',
  'Ashfall Conservatory: Second Movement',
  'Brother Moth, Sister Flame',
  'Nine Hundred Umbrellas of Port Sorrel',
  'The Quiet Arithmetic of Whales',
  'Polder Knights Gaiden',
  'Vermilion Tram Romance X-7',
  '灯台守と十七羽の鶴の物語',
  '硝子電車と眠らない図書館',
  '機巧温室ヴェラミィ',
  'ゆうれい郵便局のながい冬休み',
  '琉璃灯塔下的第十七封信',
  '沉睡图书馆与玻璃电车',
  '鐘錶果園的守夜人們',
  '유리 등대의 열일곱 번째 편지',
  'Хрустальный маяк и семнадцать журавлей',
  'qzxv wmrt 48151623',
  '!!! ??? ...',
]

/** The first `size` works of the golden set, the same in every run. The language of the topic alternates. */
export function goldenSet(size: number): Golden[] {
  plain ??= plainItems()
  return plain.slice(0, size).map((item, at) => {
    const titles = titlesIn(item)
    const there = LANGUAGES.filter((tag) => titles[tag])
    const asked = there[at % there.length] ?? 'ja'
    return {
      topic: titles[asked]?.[0] ?? item.title,
      asked,
      titles,
      originalTitle: item.title,
      releaseDate: releaseOf(item) ?? '',
    }
  })
}

let plain: BangumiItem[] | undefined

/** Works with titles in at least three languages, none of which another work has, in a fixed pseudorandom order. */
function plainItems(): BangumiItem[] {
  const items = bangumiItems()
  const forms = items.map(formsOf)
  const counts = new Map<string, number>()
  for (const form of forms.flat()) counts.set(form, (counts.get(form) ?? 0) + 1)
  return items
    .filter((item, at) => releaseOf(item) && forms[at]?.every((form) => counts.get(form) === 1))
    .filter((item) => LANGUAGES.filter((tag) => titlesIn(item)[tag]).length >= 3)
    .toSorted((one, two) => hash(one.title) - hash(two.title))
}

function titlesIn({ title, lang, titleTranslate }: BangumiItem): Record<string, string[]> {
  const titles: Record<string, string[]> = { [lang]: [title] }
  for (const [tag, texts] of Object.entries(titleTranslate))
    if (texts[0]) titles[tag] = [...(titles[tag] ?? []), ...texts]
  return titles
}

const formsOf = (item: BangumiItem): string[] => [
  ...new Set(Object.values(titlesIn(item)).flat().flatMap(search.spellings)),
]
