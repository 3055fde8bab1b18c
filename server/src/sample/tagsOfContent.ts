import { tag } from './tag.ts'

export const traits = () => [
  tag('CHARACTER_TRAIT', 'trait:male', '#3b82c4', {
    en: ['Male', 'A man or a boy.'],
    zh: ['男性', '男子或男孩。'],
    ja: ['男性', '男の人、または男の子。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:female', '#d0568f', {
    en: ['Female', 'A woman or a girl.'],
    zh: ['女性', '女子或女孩。'],
    ja: ['女性', '女の人、または女の子。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:non-human', '#6f9e3f', {
    en: ['Not human', 'An animal, a spirit, a creature.'],
    zh: ['非人类', '动物、精怪或造物。'],
    ja: ['人外', '動物、精霊、怪物など。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:melancholic', '#5c6f91', {
    en: ['Melancholic', 'Carries a sadness that has no single cause.'],
    zh: ['忧郁', '怀着说不清缘由的悲伤。'],
    ja: ['憂鬱', 'ひとつの理由では語れない悲しみを抱える。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:clever', '#2a9d8f', {
    en: ['Clever', 'Sees the way out before others see the problem.'],
    zh: ['聪慧', '别人尚未看见难题，已先看见出路。'],
    ja: ['聡明', '人が問題に気づく前に出口を見つける。'],
  }),
  tag(
    'CHARACTER_TRAIT',
    'trait:trickster',
    '#52b8a6',
    {
      en: ['Trickster', 'Breaks rules for the pleasure of it.'],
      zh: ['捣蛋鬼', '以破坏规矩为乐。'],
      ja: ['いたずら者', '決まりを破ること自体を楽しむ。'],
    },
    { parentTag: 'trait:clever' },
  ),
  tag('CHARACTER_TRAIT', 'trait:loyal', '#44699c', {
    en: ['Loyal', 'Does not leave.'],
    zh: ['忠诚', '不离不弃。'],
    ja: ['忠実', '決して去らない。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:rebellious', '#cf4b32', {
    en: ['Rebellious', 'Will not be told.'],
    zh: ['叛逆', '不听人摆布。'],
    ja: ['反骨', '人の言いなりにならない。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:kind', '#e58a5f', {
    en: ['Kind-hearted', 'Gives before being asked.'],
    zh: ['善良', '不待人求便先给予。'],
    ja: ['心優しい', '求められる前に与える。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:proud', '#9b2f6f', {
    en: ['Proud', 'Would rather lose than bow.'],
    zh: ['高傲', '宁可失去，也不低头。'],
    ja: ['誇り高い', '頭を下げるくらいなら失うほうを選ぶ。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:mysterious', '#45406e', {
    en: ['Mysterious', 'More is hidden than shown.'],
    zh: ['神秘', '藏起的多于显露的。'],
    ja: ['謎めいた', '見せるより隠しているものが多い。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:brave', '#c8553d', {
    en: ['Courageous', 'Is afraid and goes on.'],
    zh: ['勇敢', '心有畏惧，仍向前行。'],
    ja: ['勇敢', '恐れながらも進む。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:scholar', '#7b6a4f', {
    en: ['Scholar', 'Lives by books, for better or worse.'],
    zh: ['学者', '无论好坏，以书为生。'],
    ja: ['学者', '良くも悪くも書物に生きる。'],
  }),
  tag('CHARACTER_TRAIT', 'trait:villain', '#5e1f2b', {
    en: ['Villain', 'Someone has to.'],
    zh: ['反派', '总得有人来当。'],
    ja: ['悪役', '誰かが引き受けなければならない。'],
  }),
]

export const warnings = () => [
  tag('CONTENT_WARNING', 'warning:violence', '#b3261e', {
    en: ['Violence', 'Fighting or cruelty is shown.'],
    zh: ['暴力', '含有打斗或残酷场面。'],
    ja: ['暴力', '戦いや残酷な場面を含む。'],
  }),
  tag('CONTENT_WARNING', 'warning:death', '#4d4d57', {
    en: ['Death', 'Someone important dies.'],
    zh: ['死亡', '有重要人物死去。'],
    ja: ['死', '重要な人物が死ぬ。'],
  }),
  tag('CONTENT_WARNING', 'warning:suicide', '#7a3b4b', {
    en: ['Suicide', 'Suicide is spoken of or happens.'],
    zh: ['自杀', '提及或出现自杀。'],
    ja: ['自殺', '自殺への言及、または描写がある。'],
  }),
  tag('CONTENT_WARNING', 'warning:body-horror', '#8f3f5f', {
    en: ['Body horror', 'Bodies are altered or used.'],
    zh: ['肉体恐怖', '身体遭到改造或利用。'],
    ja: ['身体的恐怖', '身体が変えられ、利用される。'],
  }),
  tag('CONTENT_WARNING', 'warning:substance-use', '#a0692c', {
    en: ['Substance use', 'Alcohol or drugs play a part.'],
    zh: ['酒精与药物', '涉及饮酒或药物。'],
    ja: ['酒・薬物', '酒や薬物が関わる。'],
  }),
  tag('CONTENT_WARNING', 'warning:period-attitudes', '#85735c', {
    en: ['Attitudes of its time', 'Holds views that were common then and hurt now.'],
    zh: ['时代局限', '含有当时常见、今日伤人的观念。'],
    ja: ['時代的な表現', '当時は普通でも今は人を傷つける考えを含む。'],
  }),
]
