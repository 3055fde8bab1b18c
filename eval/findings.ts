// Measures the precision of the checks on the sample catalogue: `npm run findings` writes docs/findings.md. A person
// reviewed all findings. The false positives are listed here, so that the precision is that of the current findings.
import { writeFileSync } from 'node:fs'
import { DEFAULT_FINDINGS, FINDING_CODES, type FindingCode } from '@mokuroku/contract/findings'
import { findingsIn } from '@mokuroku/contract/findings/checks'
import { duplicateKeys, MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import { bangumiAnime } from '../server/src/sample/bangumi.ts'
import { type SampleMedia, sampleWorks } from '../server/src/sample/data.ts'

const WANTED = ['en', 'zh']
/** The current time for the checks; the sample catalogue is from then. */
const NOW = '2026-05-01T00:00:00.000Z'
const MAX_EXAMPLES = 8

/**
 * `criterion`: when a finding was judged right. `wrong`: the false positives, titles with the finding that should not
 * have it; `right`: the true ones, if they are fewer.
 */
type Judgement = { criterion: string; wrong: string[] } | { criterion: string; right: string[] }

const BY_DEFINITION = 'A fact about the entry itself; there is nothing to judge.'
const NONE_FOUND = 'The sample has no such titles, so the precision is unknown.'

const JUDGED: Record<FindingCode, Judgement> = {
  missing: { criterion: BY_DEFINITION, wrong: [] },
  copied: {
    criterion:
      'Right if the work is Japanese: its Chinese or English title is then a copy of the Japanese one. Whether a ' +
      'translator would write anything else is another question: nearly all of these titles consist of Chinese ' +
      'characters only, and many (犬夜叉, 宇宙兄弟) are also the Chinese name of the work. These can be dismissed one by one.',
    wrong: [
      'Thunderbolt Fantasy 東離劍遊紀',
      'Thunderbolt Fantasy 生死一劍',
      'Thunderbolt Fantasy 東離劍遊紀 2',
      'Thunderbolt Fantasy 西幽玹歌',
      'Thunderbolt Fantasy 東離劍遊紀 3',
      'Thunderbolt Fantasy 東離劍遊紀 4',
      '機甲英雄 機鬥勇者',
      '幸福路上',
      '狐狸之声',
      '龍族 -The Blazing Dawn-',
      '斗神姬',
      '奇魂侍',
    ],
  },
  script: { criterion: 'The title contains letters that its language does not use.', wrong: [] },
  latinOnly: {
    criterion:
      'Right if a translator would write the title in Chinese. Most of these titles are English words that the Japanese ' +
      'title spells in kana, or names that the publisher uses in Chinese, too.',
    right: [
      'Anpanman: Nanda and Runda from Star of Toys',
      'Gloomy Bear The Naughty Grizzly',
      'K-On!!:Ura-On!!',
      'K-On!:Ura-On!',
      'Keroro',
      'KOWABON',
      'Copihan',
      'Pugyuru',
      'Nullpeta',
      'Null & Peta',
      'Onipan！',
      'Da!Da!Da!',
      'Crane Game Girls',
      'OZUMA',
      'Akubi girl',
      'Anne Happy',
      'Unhappy♪',
      'Gachiakuta',
      'World Fool News Part 2',
    ],
  },
  mixed: { criterion: 'For a character of the title, a dictionary of the script lists another form.', wrong: [] },
  spaces: { criterion: NONE_FOUND, wrong: [] },
  brackets: { criterion: NONE_FOUND, wrong: [] },
  ellipsis: {
    criterion: 'The title contains three full stops. Whether that is wrong is a matter of house style.',
    wrong: [],
  },
  placeholder: { criterion: NONE_FOUND, wrong: [] },
  season: {
    criterion:
      'Right if the original title names the season and this title does not, neither in words nor by a subtitle.',
    wrong: [
      '终物语 下',
      '剑风传奇 次篇',
      '更多！正经又不正经 怪侠佐罗利',
      '劇場版 進擊的巨人 覺醒的咆哮',
      '肌肉魔法使-MASHLE- 神覺者候補選拔試驗篇',
      '月光旅程 -Touch down-',
      '萌妻食神之再结良缘',
    ],
  },
  noCover: { criterion: BY_DEFINITION, wrong: [] },
  noTags: { criterion: BY_DEFINITION, wrong: [] },
  noDescription: { criterion: BY_DEFINITION, wrong: [] },
  noCharacters: { criterion: BY_DEFINITION, wrong: [] },
  futureCompleted: { criterion: BY_DEFINITION, wrong: [] },
  duplicate: {
    criterion:
      'Right if both entries are the same work. Entries are counted, which come in pairs: same type, same season, one ' +
      'equal title in any language (folded), released at most a day apart. With a month instead of a day, the sample ' +
      'has five more pairs; all of them are different works, or parts of one work.',
    wrong: [],
  },
  brokenLink: {
    criterion:
      BY_DEFINITION +
      ' It concerns links to assets (`cover`, `assets`) that are in the trash, deleted, or whose file could not be ' +
      'processed. No field of the contract holds an external address, so no other host is ever contacted.',
    wrong: [],
  },
}

const EMPTY = { cover: '', tags: [], characters: [] }

/** The findings of a check: for each the text it concerns, or else the original or English title. */
function candidates(code: FindingCode, all: SampleMedia[]): string[] {
  if (code === 'duplicate') return duplicatesIn(all)
  return all.flatMap((media) =>
    findingsIn('Media', { ...EMPTY, ...media }, { codes: [code], wanted: WANTED }, NOW).map(
      ({ text }) => text || (media.originalTitle ?? media.translations.en?.title ?? ''),
    ),
  )
}

/** The titles of media that share a key and have nearly the same day. */
function duplicatesIn(all: SampleMedia[]): string[] {
  const keyed = all.map((media) => ({ media, ...duplicateKeys('Media', { ...media }) }))
  const sharing = Map.groupBy(
    keyed.flatMap((each) => each.keys.map((key) => ({ ...each, key }))),
    ({ key }) => key,
  )
  return keyed
    .filter((own) =>
      own.keys.some((key) =>
        sharing.get(key)?.some(({ media, day }) => media !== own.media && Math.abs(day - own.day) <= MAX_DAYS_APART),
      ),
    )
    .map(({ media }) => media.originalTitle ?? media.translations.en?.title ?? '')
}

function sectionOf(code: FindingCode, all: SampleMedia[]): string {
  const found = candidates(code, all)
  const judgement = JUDGED[code]
  const { criterion } = judgement
  const [heading, listed] = 'right' in judgement ? ['Right', judgement.right] : ['Wrong', judgement.wrong]
  const matches = found.filter((text) => listed.includes(text)).length
  const mistakes = 'right' in judgement ? found.length - matches : matches
  const isJudged = found.length > 0 && !criterion.startsWith(BY_DEFINITION)
  const precision = isJudged ? `${Math.round((1000 * (found.length - mistakes)) / found.length) / 10} %` : '–'
  const examples = found.slice(0, MAX_EXAMPLES).map((text) => `“${text}”`)
  return [
    `## ${code}`,
    '',
    `${DEFAULT_FINDINGS.includes(code) ? 'On' : 'Off'} by default. Found: ${found.length}. Precision: ${precision}.`,
    '',
    criterion,
    ...(isJudged ? ['', `Such as ${examples.join(', ')}.`] : []),
    ...(matches > 0 ? ['', `${heading}: ${listed.filter((text) => found.includes(text)).join(', ')}.`] : []),
  ].join('\n')
}

/** With the cover that each work gets when it is loaded. */
const catalogue = [...bangumiAnime(), ...sampleWorks().map((work) => ({ ...work, cover: 'its cover' }))]
writeFileSync(
  new URL('../docs/findings.md', import.meta.url),
  `# Findings

What each check finds in the ${catalogue.length.toLocaleString('en')} media of the sample catalogue, with ${WANTED.map((tag) => `\`${tag}\``).join(' and ')} as wanted languages,
and how much of it is right. \`npm run findings\` (\`eval/findings.ts\`) writes this page. One person read each list once;
unfamiliar works were judged by their titles alone. The sample has clean titles, and its anime have neither covers nor
characters, so a catalogue in use has other mistakes. A check below 90 % precision, or of unknown precision, is off by default.

${FINDING_CODES.map((code) => sectionOf(code, catalogue)).join('\n\n')}
`,
)
