import { part, tag } from './tag.ts'

export const formats = () => [
  tag('CUSTOM', 'format', '#475569', {
    en: ['Format', 'How a work reached its first audience.'],
    zh: ['形式', '作品最初与观众见面的方式。'],
    ja: ['形式', '作品が最初に届けられた形。'],
  }),
  ...(
    [
      ['tv', '#2563a8', ['TV series', '电视动画', 'テレビアニメ']],
      ['web', '#0e8f8a', ['Web series', '网络动画', 'Webアニメ']],
      ['movie', '#b4532a', ['Movie', '剧场版', '劇場版アニメ']],
      ['ova', '#7c4d99', ['OVA', 'OVA', 'OVA']],
    ] as const
  ).map(([name, color, names]) => part('format', name, color, names)),
]

export const seasons = () => [
  tag('CUSTOM', 'season', '#5f7464', {
    en: ['Season', 'The quarter of its first release, by Japanese time.'],
    zh: ['季度', '按日本时间计算的首次发行季度。'],
    ja: ['季節', '日本時間で見た、初めて世に出た季節。'],
  }),
  ...(
    [
      ['winter', '#5b8fb9', ['Winter', '冬季', '冬'], '❄️'],
      ['spring', '#d783a6', ['Spring', '春季', '春'], '🌸'],
      ['summer', '#2f9e77', ['Summer', '夏季', '夏'], '🌻'],
      ['autumn', '#c4622d', ['Autumn', '秋季', '秋'], '🍁'],
    ] as const
  ).map(([name, color, names, icon]) => part('season', name, color, names, icon)),
]

const DECADE_COLOURS = [
  '#6b6257',
  '#7d6a55',
  '#8e7250',
  '#a07a47',
  '#b3833a',
  '#9a8f3c',
  '#6f9550',
  '#43936f',
  '#2b8793',
] as const

export const decades = () => [
  tag('CUSTOM', 'decade', '#6f6a60', {
    en: ['Decade', 'The ten years of its first release.'],
    zh: ['年代', '首次发行的年代。'],
    ja: ['年代', '初めて世に出た十年間。'],
  }),
  ...DECADE_COLOURS.map((color, index) => {
    const name = `${1940 + index * 10}s`
    const years = 1940 + index * 10
    return part('decade', name, color, [name, `${years}年代`, `${years}年代`])
  }),
]

export const own = () => [
  tag('CUSTOM', 'public-domain', '#3f7d58', {
    en: ['Public domain', 'Free for everyone to read, translate and adapt.'],
    zh: ['公有领域', '人人可以阅读、翻译与改编。'],
    ja: ['パブリックドメイン', '誰もが読み、訳し、翻案できる。'],
  }),
  tag('CUSTOM', 'adaptation', '#a8577e', {
    en: ['Adaptation', 'Retold from another work of the catalogue.'],
    zh: ['改编', '改编自目录中的另一部作品。'],
    ja: ['翻案', '目録にある別の作品をもとにしている。'],
  }),
  tag(
    'CUSTOM',
    'to-be-checked',
    '#8a8a8a',
    {
      en: ['To be checked', 'For editors only: something here needs a second look.'],
      zh: ['待核对', '仅供编辑使用：此处需要复查。'],
      ja: ['要確認', '編集者用。もう一度見直す必要がある。'],
    },
    { status: 'HIDDEN' },
  ),
]
