import { expect, test } from 'vitest'
import { asSeason, splitTitle } from './seasonNumbers.ts'

test.each([
  ['進撃の巨人 第2期', '進撃の巨人', 2],
  ['进击的巨人 第二季', '进击的巨人', 2],
  ['进击的巨人第十二季', '进击的巨人', 12],
  ['Attack on Titan Season 3', 'Attack on Titan', 3],
  ['Attack on Titan 2nd Season', 'Attack on Titan', 2],
  ['ゆるキャン△ SEASON２', 'ゆるキャン△', 2],
  ['Overlord II', 'Overlord', 2],
  ['オーバーロードⅢ', 'オーバーロード', 3],
  ['忍たま乱太郎 2期', '忍たま乱太郎', 2],
  ['マリア様がみてる 3rdシーズン', 'マリア様がみてる', 3],
  ['나 혼자만 레벨업 2기', '나 혼자만 레벨업', 2],
  ['원펀맨 시즌 3', '원펀맨', 3],
  ['Атака титанов 2 сезон', 'Атака титанов', 2],
  ['ผ่าพิภพไททัน ภาค 2', 'ผ่าพิภพไททัน', 2],
  ['هجوم العمالقة الموسم 2', 'هجوم العمالقة', 2],
  ['中学2期生', '中学2期生', undefined],
  ['バキ 3', 'バキ', 3],
  ['バキ(第2期)', 'バキ', 2],
  ['86', '86', undefined],
  ['Sakura 1999', 'Sakura 1999', undefined],
  ['2.43', '2.43', undefined],
  ['らんま1/2', 'らんま1/2', undefined],
  ['第2期', '第2期', undefined],
  ['ViVid Strike!', 'ViVid Strike!', undefined],
  ['', '', undefined],
])('splits %s into %s and number %s', (title, stem, number) => {
  expect(splitTitle(title)).toMatchObject({ stem, number })
})

test.each([
  ['进击的巨人', 2, 'zh-Hans', '进击的巨人 第二季'],
  ['进击的巨人 第二季', 3, 'zh-Hans', '进击的巨人 第三季'],
  ['进击的巨人 第2季', 12, 'zh-Hans', '进击的巨人 第12季'],
  ['进击的巨人 第三季', undefined, 'zh-Hans', '进击的巨人'],
  ['Attack on Titan', 2, 'en', 'Attack on Titan Season 2'],
  ['Attack on Titan 2nd Season', 3, 'en', 'Attack on Titan 3rd Season'],
  ['Attack on Titan 2nd Season', 11, 'en', 'Attack on Titan 11th Season'],
  ['Overlord II', 4, 'en', 'Overlord IV'],
  ['Overlord II', 12, 'en', 'Overlord 12'],
  ['バキ', 2, 'ja', 'バキ 第2期'],
  ['바키', 2, 'ko', '바키 2기'],
  ['바키 2기', 3, 'ko', '바키 3기'],
  ['바키 2기', undefined, 'ko', '바키'],
  ['Атака титанов 2 сезон', 3, 'ru', 'Атака титанов 3 сезон'],
  ['Атака титанов', 2, 'ru', 'Атака титанов Сезон 2'],
  ['Mùa hè', 2, 'vi', 'Mùa hè Mùa 2'],
  ['オーバーロードⅡ', 4, 'ja', 'オーバーロードⅣ'],
  ['进击的巨人', 20, 'zh', '进击的巨人 第二十季'],
])('%s as season %s in %s is %s', (title, number, language, expected) => {
  expect(asSeason(title, number, language)).toBe(expected)
})
