// Titles for a generated catalogue: deterministic by number, and varied enough for search.
import { between, pick, seeded } from '../server/src/sample/seed.ts'

const ENGLISH = {
  first:
    'Silent,Crimson,Distant,Broken,Golden,Hidden,Winter,Electric,Forgotten,Wandering,Paper,Iron,Velvet,Burning,Last,Hollow,Gentle,Midnight,Tidal,Borrowed'.split(
      ',',
    ),
  thing:
    'Garden,Harbor,Lantern,Orchestra,Labyrinth,Voyage,Kingdom,Promise,Library,Rain,Horizon,Festival,Machine,Letter,Sky,Forest,Mirror,Station,Archive,Melody'.split(
      ',',
    ),
  place:
    'North,Sea,Moon,Valley,Capital,Clouds,River,Island,Mountains,Stars,Old Town,Spring,Dunes,Tower,Bridge,Lake,Border,Shore,Plateau,Night'.split(
      ',',
    ),
}
const JAPANESE = {
  first:
    '静かな,紅の,遠い,壊れた,黄金の,隠された,冬の,電気の,忘れられた,旅する,紙の,鉄の,燃える,最後の,うつろな,やさしい,真夜中の,借りた,青い,白い'.split(
      ',',
    ),
  thing:
    '庭,港,ランタン,オーケストラ,迷宮,航海,王国,約束,図書館,雨,地平線,祭り,機械,手紙,空,森,鏡,駅,記録,メロディー'.split(
      ',',
    ),
  place: '北,海,月,谷,都,雲,川,島,山,星,町,春,砂丘,塔,橋,湖,国境,岸,高原,夜'.split(','),
}
const CHINESE = {
  first:
    '寂静的,深红的,遥远的,破碎的,金色的,隐藏的,冬日,电气,被遗忘的,流浪的,纸上,钢铁,燃烧的,最后的,空心,温柔的,午夜,借来的,蓝色,白色'.split(
      ',',
    ),
  thing: '花园,港口,灯笼,乐团,迷宫,航程,王国,约定,图书馆,雨,地平线,节日,机器,信,天空,森林,镜子,车站,档案,旋律'.split(
    ',',
  ),
  place: '北方,大海,月亮,山谷,都城,云,河流,岛屿,群山,星辰,古镇,春天,沙丘,高塔,桥,湖,边境,海岸,高原,夜晚'.split(','),
}

const RUSSIAN = {
  first:
    'Тихий,Багровый,Далёкий,Разбитый,Золотой,Скрытый,Зимний,Электрический,Забытый,Странствующий,Бумажный,Железный,Бархатный,Горящий,Последний,Пустой,Нежный,Полночный,Приливный,Чужой'.split(
      ',',
    ),
  thing:
    'сад,порт,фонарь,оркестр,лабиринт,путь,край,обет,архив,дождь,горизонт,праздник,станок,конверт,простор,лес,отблеск,вокзал,список,напев'.split(
      ',',
    ),
  place:
    'севера,моря,луны,долины,столицы,облаков,реки,острова,гор,звёзд,старого города,весны,дюн,башни,моста,озера,границы,берега,плато,ночи'.split(
      ',',
    ),
}

export interface Titles {
  en: string
  ja: string
  zh: string
  ru: string
}

/** The titles of the media with this number. One in ten ends with a digit, like a sequel. */
export function titlesOf(number: number): Titles {
  const random = seeded(`title ${number}`)
  const [first, thing, place] = [between(random, 0, 19), between(random, 0, 19), between(random, 0, 19)]
  const sequel = random() < 0.1 ? ` ${between(random, 2, 9)}` : ''
  const name = pick(random, NAMES)
  return {
    en: `${ENGLISH.first[first]} ${ENGLISH.thing[thing]} of the ${ENGLISH.place[place]}: ${name.en}${sequel}`,
    ja: `${JAPANESE.first[first]}${JAPANESE.place[place]}の${JAPANESE.thing[thing]} ${name.ja}${sequel}`,
    zh: `${CHINESE.place[place]}${CHINESE.first[first]}${CHINESE.thing[thing]}：${name.zh}${sequel}`,
    ru: `${RUSSIAN.first[first]} ${RUSSIAN.thing[thing]} ${RUSSIAN.place[place]}: ${name.ru}${sequel}`,
  }
}

/** A thousand names in four scripts, each made of two parts, so that titles are distinct. */
const NAMES = halves(
  'Aki,Haru,Natsu,Fuyu,Sora,Umi,Kawa,Yama,Mori,Hoshi,Tsuki,Hana,Kaze,Yuki,Ame,Kumo,Ishi,Take,Matsu,Kuro,Shiro,Ao,Aka,Midori,Kin,Gin,Tori,Inu,Neko,Uma,Ryu,Tora'.split(
    ',',
  ),
  '秋,春,夏,冬,空,海,川,山,森,星,月,花,風,雪,雨,雲,石,竹,松,黒,白,青,赤,緑,金,銀,鳥,犬,猫,馬,竜,虎'.split(','),
  '秋,春,夏,冬,空,海,川,山,森,星,月,花,风,雪,雨,云,石,竹,松,黑,白,青,红,绿,金,银,鸟,狗,猫,马,龙,虎'.split(','),
  'Аки,Хару,Нацу,Фую,Сора,Уми,Кава,Яма,Мори,Хоси,Цуки,Хана,Кадзе,Юки,Амэ,Кумо,Иси,Такэ,Мацу,Куро,Сиро,Ао,Ака,Мидори,Кин,Гин,Тори,Ину,Нэко,Ума,Рю,Тора'.split(
    ',',
  ),
)

function halves(latin: string[], japanese: string[], chinese: string[], cyrillic: string[]): Titles[] {
  return latin.flatMap((first, one) =>
    latin.map((second, other) => ({
      en: `${first}${second.toLowerCase()}`,
      ja: `${japanese[one]}${japanese[other]}`,
      zh: `${chinese[one]}${chinese[other]}`,
      ru: `${cyrillic[one]}${cyrillic[other]?.toLowerCase()}`,
    })),
  )
}
