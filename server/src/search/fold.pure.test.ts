import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chars, lengthOf } from './chars.ts'
import { compact, fold, labelVariants, variants } from './fold.ts'
import { grams, lengthToken, tsVector } from './grams.ts'
import { ftsQuery, containing, approximately, tsQuery, type GramQuery } from './gramQuery.ts'

const same: [string, ...string[]][] = [
  ['進撃の巨人', '进击の巨人', '進擊の巨人', '进击ノ巨人'],
  ['鋼の錬金術師', '钢の炼金术师', '鋼の鍊金術師'],
  ['Full Metal', 'ＦＵＬＬ　ＭＥＴＡＬ', '  full\tmetal!! ', 'Full-Metal'],
  ['フルメタル', 'ﾌﾙﾒﾀﾙ', 'ふるめたる', 'フルメタール'],
  ['ガンダム', 'ｶﾞﾝﾀﾞﾑ', 'か\u3099んた\u3099む'],
  ['ヴァイオレット', 'バイオレット'],
  ['佐々木', '佐佐木'],
  ['こゝろ', 'こころ', 'コヽロ'],
  ['金子みすゞ', '金子みすず', '金子ミスヾ', '金子みすゝ\u3099'],
  ['ぶゞ漬け', 'ぶぶ漬け', 'ブヾ漬け'],
  ['あゞ', 'ああ'],
  ['Pokémon', 'pokemon', 'POKE\u0301MON', 'Ｐｏｋéｍｏｎ'],
  ['Tiếng Việt, Đức', 'tieng viet duc'],
  ['Łódź Straße Ærø Œuvre', 'lodz strasse aero oeuvre'],
  ['Ёлка', 'елка'],
  ['أُغْنِيَةُ العمالقة', 'اغنيه العمالقه', 'أغنيــة العمالقة'],
  ['שָׁלוֹם', 'שלום'],
  ['کشتی', 'كشتي'],
  ['ٱلكتاب', 'الكتاب'],
  ['ہم', 'هم'],
  ['कृष्ण ज़िंदगी', 'कृष्ण जिंदगी', 'कृष्ण ज\u093cिन्दगी'],
  ['हिन्दी', 'हिंदी'],
  ['सम्बन्ध', 'संबंध'],
  ['चाँद', 'चांद'],
  ['แม่', 'เเม่'],
  ['שלום ארץ', 'שלומ ארצ'],
  ['هەولێر', 'هەولیر'],
  ['Gəncə', 'gence'],
  ['لیلا ۱۲۳', 'لیلا ١٢٣', 'لیلا 123'],
  ['ภาค ๑๐', 'ภาค 10'],
  ['भाग १२', 'भाग 12'],
  ['\u{116db}\u{116d9}', '19'],
  ['一ヶ月', '一ケ月', '一ゖ月'],
  ['時〻', '時時'],
  ['髙橋 山﨑 渡邉 𠮷野家 濵田 栁', '高橋 山崎 渡辺 吉野家 浜田 柳'],
  ['❤\ufe0f', '❤'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς', 'οδυσσευσ'],
  ['Diyarbakır', 'DIYARBAKIR'],
  ['ヷイオリン', 'ヴァイオリン', 'バイオリン'],
  ['三ヵ国', '三カ国', '三ゕ国'],
  ['God’s Won´t', "gods won't"],
  ['Re:Zero', 'RE：ZERO', 're zero'],
  ['SPY×FAMILY', 'Spy x Family'],
]
test.each(same)('folds all spellings of %s to the same text', (text, ...others) => {
  for (const other of others) expect(fold(other)).toBe(fold(text))
})

test('folds ASCII, which is common, as any other text', () => {
  // An invisible character, which is removed, makes it a text that is not ASCII.
  const asAny = (text: string) => fold(`${text}\u200b`)
  const texts = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
  fc.assert(fc.property(texts, (text) => fold(text) === asAny(text)))
  const controls = fc.string({ unit: fc.nat(127).map((code) => String.fromCharCode(code)) })
  fc.assert(fc.property(controls, (text) => fold(text) === asAny(text)))
  for (const text of ["God's WON`T", '!!', "'", '', ' a ', 'x'.repeat(3000)]) expect(fold(text)).toBe(asAny(text))
  expect(compact('x '.repeat(500))).toBe('x'.repeat(400))
})

test.each([
  ['사랑의 불시착', 'ㅅㄹㅇ ㅂㅅㅊ'],
  ['각시탈', 'ㄳㅌ'],
  ['꽃보다 남자 2', 'ㄲㅂㄷ ㄴㅈ 2'],
])('the label %s is also %s', (text, typed) => expect(labelVariants(text)).toEqual([fold(text), fold(typed)]))

test('a label with less than two Korean syllables has no initial consonants', () => {
  for (const text of ['꽃', '2 꽃', 'Love']) expect(labelVariants(text)).toEqual(variants(text))
})

test('keeps marks that distinguish words', () => {
  expect(fold('ガ')).not.toBe(fold('カ'))
  expect(fold('パ')).not.toBe(fold('ハ'))
  expect(fold('ที่')).toBe('ที่')
  expect(fold('दिल')).toBe('दिल')
  expect(fold('जन्म')).toBe('जन्म')
  expect(fold('각')).toBe('각')
})

test('keeps symbols only in a title that has nothing else', () => {
  expect(fold('☆')).toBe('☆')
  expect(fold('☆彡')).toBe('彡')
  expect(fold(' \u0000 ')).toBe('')
})

test.each([
  ['しんげき', 'shingeki'],
  ['とうきょう', 'tokyo'],
  ['とうきょう', 'toukyou'],
  ['ファンタジー', 'fantaji'],
  ['ジェットウィッチ', 'jettowicchi'],
  ['ちょっとまって', 'chottomatte'],
  ['シャーロック', 'sharokku'],
  ['きゃりーぱみゅぱみゅ', 'kyaripamyupamyu'],
  ['ツァイト', 'tsaito'],
  ['デュエル', 'dyueru'],
  ['シティーハンター', 'shitihanta'],
  ['ファイブスター物語', 'faibusuta物語'],
  ['トランスフォーマー', 'toransufoma'],
  ['しんいち', "shin'ichi"],
])('matches %s with the romanization %s', (kana, latin) => {
  const readings = new Set(variants(kana))
  expect(variants(latin).some((each) => readings.has(each))).toBe(true)
})

test.each([
  ['syoujo', 'shōjo'],
  ['tukihime', 'tsukihime'],
  ['huzisan', 'fujisan'],
  ['shimbun', 'shinbun'],
  ['zyosei', 'josei'],
  ['tyotto', 'chotto'],
])('treats %s and %s as the same word', (one, other) => expect(variants(one).at(-1)).toBe(variants(other).at(-1)))

test('a text with Chinese characters is transliterated from three kana in a row on', () => {
  expect(variants('彼のき')).toEqual(['彼のき'])
  expect(variants('彼のきみ')).toContain('彼nokimi')
})

test('leaves English words unchanged', () => expect(variants('Sailor Soul Attack')).toEqual(['sailor soul attack']))

test.each([
  ['Overlord II', 'Overlord III'],
  ['オーバーロードⅡ', 'オーバーロードⅢ'],
  ['緋弾のアリア', '緋弾のアリアAA'],
  ['Fantasy VI', 'Fantasy VII'],
  ['Fantasy VII', 'Fantasy VIII'],
])('%s and %s have no spelling in common', (one, other) => {
  const spellings = new Set(variants(one).map(compact))
  expect(
    variants(other)
      .map(compact)
      .filter((each) => spellings.has(each)),
  ).toEqual([])
})

// Without atomic syllables, these would take longer than any timeout.
test('a long word that is nearly romaji takes no longer than others', () => {
  for (const syllable of ['nya', 'ahha', 'nn', 'aha'])
    for (const end of ['l', 'm', '']) {
      const word = syllable.repeat(200) + end
      expect(fold(word)).toBe(word)
      expect(variants(word)).toContain(word)
    }
  expect(variants('nya'.repeat(200)).at(-1)).toBe('nya'.repeat(200))
  expect(variants(`${'nyou'.repeat(50)}l`)).toEqual([`${'nyou'.repeat(50)}l`])
  expect(variants('nyounahha').at(-1)).toBe('nyonahha')
})

const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), titles())

test('folds no more than the beginning of a text whose characters become many', () => {
  expect(fold('ﷺ'.repeat(1000))).toBe(fold('ﷺ'.repeat(500)))
  expect(fold('𝕬'.repeat(1500))).toBe('a'.repeat(1500))
})

test('folding never throws, is well formed, and is idempotent', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const folded = fold(text)
      expect(folded.isWellFormed()).toBe(true)
      expect(folded).not.toMatch(/^ | $| {2}|[\p{Cc}\p{Cs}]/u)
      expect(fold(folded)).toBe(folded)
      const all = variants(text)
      expect(new Set(all).size).toBe(all.length)
    }),
    { numRuns: 1000 },
  )
})

test('applies a voicing mark after an iteration mark to the repeated character', () => {
  for (const [text, folded] of [
    ['ﾊ々ﾟ', 'はぱ'],
    ['う々ﾞ', 'うぶ'],
    ['ﾊ々ﾟ々', 'はぱぱ'],
  ] as const) {
    expect(fold(text)).toBe(folded)
    expect(fold(folded)).toBe(folded)
  }
})

test('unpaired surrogates are harmless', () => {
  fc.assert(
    fc.property(fc.uint16Array(), (units) => {
      expect(fold(String.fromCharCode(...units)).isWellFormed()).toBe(true)
    }),
  )
})

test('ignores case, width and Unicode normalization form', () => {
  fc.assert(
    fc.property(titles(), (text) => {
      expect(fold(text.toUpperCase())).toBe(fold(text))
      expect(fold(text.normalize('NFD'))).toBe(fold(text))
      expect(fold(text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)))).toBe(fold(text))
    }),
  )
})

test('the n-grams of a substring are a run of the n-grams of the whole', () => {
  fc.assert(
    fc.property(anything, anything, anything, (before, part, after) => {
      const [whole, inner] = [grams(before + part + after), grams(part)]
      if (lengthOf(part) < 2 || !(before + part + after).isWellFormed()) return
      expect(` ${whole.join(' ')} `).toContain(` ${inner.join(' ')} `)
    }),
  )
})

test('different texts have different n-grams, of letters and digits only', () => {
  fc.assert(
    fc.property(anything, anything, (one, other) => {
      fc.pre(one !== other)
      for (const gram of grams(one)) expect(gram).toMatch(/^[a-z0-9]+$/)
      expect(grams(one).join(' ')).not.toBe(grams(other).join(' '))
      expect(grams(one)).not.toContain(lengthToken(lengthOf(one)))
    }),
  )
})

test('an n-gram query is rendered for both engines', () => {
  const wanted = containing('abz')
  expect(wanted).toEqual({ run: ['ab', 'bzz'] })
  expect(containing('進')).toBeUndefined()
  expect(wanted && ftsQuery({ all: [wanted, { any: [wanted, wanted] }] }, 'm')).toBe(
    '("mab mbzz" AND ("mab mbzz" OR "mab mbzz"))',
  )
  expect(wanted && tsQuery({ all: [wanted, { any: [wanted, wanted] }] }, 'm')).toBe(
    '((mab<->mbzz)&((mab<->mbzz)|(mab<->mbzz)))',
  )
  expect(tsVector(['ab', 'bzz'])).toBe('ab:1 bzz:2')
  expect(approximately('a')).toBeUndefined()
})

test('compact removes spaces and truncates overlong texts', () => {
  expect(compact(fold('Re: Zero  kara'))).toBe('rezerokara')
  expect(chars(compact('𠮷'.repeat(500)))).toHaveLength(400)
})

function titles() {
  return fc.string({ unit: fc.constantFrom(...chars('abcxyzéßñ019 !?・ー々ゝゞヾす進撃擊击のガパﾊﾟヴァっゃんไท각й')) })
}

test('a query with one typo still matches the correct text', () => {
  const word = fc.string({ unit: fc.constantFrom(...chars('abc進の')), minLength: 5, maxLength: 30 })
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('x', ''), fc.boolean(), (text, where, letter, swap) => {
      const letters = chars(text)
      const at = where % (letters.length - 1)
      letters.splice(at, 2, ...(swap ? letters.slice(at, at + 2).toReversed() : [letter, letters[at + 1] ?? '']))
      const wanted = approximately(letters.join(''))
      expect(letters.length < 5 || (wanted && answers(wanted, grams(text)))).toBe(true)
    }),
  )
})

function answers(wanted: GramQuery, tokens: string[]): boolean {
  if ('run' in wanted) return ` ${tokens.join(' ')} `.includes(` ${wanted.run.join(' ')} `)
  return 'all' in wanted
    ? wanted.all.every((each) => answers(each, tokens))
    : wanted.any.some((each) => answers(each, tokens))
}
