import { tag } from './tag.ts'

export const genres = () => [
  tag('GENRE', 'genre:adventure', '#d9822b', {
    en: ['Adventure', 'Danger, distance and discovery carry the story.'],
    zh: ['冒险', '以险境、远行与发现推动的故事。'],
    ja: ['冒険', '危険と旅と発見が物語を動かす。'],
  }),
  tag('GENRE', 'genre:fantasy', '#7a5cc9', {
    en: ['Fantasy', 'Magic, gods or impossible places are part of the world.'],
    zh: ['奇幻', '魔法、神明或不可能之地是世界的一部分。'],
    ja: ['ファンタジー', '魔法や神々、ありえない場所が世界の一部である。'],
  }),
  tag(
    'GENRE',
    'genre:folklore',
    '#9a79d8',
    {
      en: ['Folklore', 'Grown out of legends, fairy tales and oral tradition.'],
      zh: ['民间传说', '源于传说、童话与口头传统。'],
      ja: ['民間伝承', '伝説や昔話、口承から生まれた物語。'],
    },
    { parentTag: 'genre:fantasy' },
  ),
  tag('GENRE', 'genre:science-fiction', '#2787b8', {
    en: ['Science fiction', 'What a machine, a theory or a discovery might change.'],
    zh: ['科幻', '设想一台机器、一种理论或一次发现会改变什么。'],
    ja: ['SF', '機械や理論、発見が何を変えるかを描く。'],
  }),
  tag('GENRE', 'genre:mystery', '#3f5a8a', {
    en: ['Mystery', 'A question is asked early and answered late.'],
    zh: ['悬疑', '开头提出疑问，最后才揭晓答案。'],
    ja: ['ミステリー', '早くに問いが立ち、答えは最後に明かされる。'],
  }),
  tag(
    'GENRE',
    'genre:detective',
    '#56759f',
    {
      en: ['Detective', 'Someone reasons from clues to a culprit.'],
      zh: ['侦探', '从线索推理出真凶。'],
      ja: ['探偵', '手がかりから犯人へと推理を重ねる。'],
    },
    { parentTag: 'genre:mystery' },
  ),
  tag('GENRE', 'genre:horror', '#8c2f39', {
    en: ['Horror', 'Meant to unsettle and to frighten.'],
    zh: ['恐怖', '意在令人不安与惊惧。'],
    ja: ['ホラー', '不安と恐怖をかき立てる。'],
  }),
  tag(
    'GENRE',
    'genre:gothic',
    '#6b2540',
    {
      en: ['Gothic', 'Old houses, old sins and weather to match.'],
      zh: ['哥特', '古宅、旧罪，还有相称的天气。'],
      ja: ['ゴシック', '古い館と古い罪、それに似つかわしい嵐。'],
    },
    { parentTag: 'genre:horror' },
  ),
  tag('GENRE', 'genre:romance', '#d45d79', {
    en: ['Romance', 'Love is the main line of the plot.'],
    zh: ['爱情', '以爱情为主线。'],
    ja: ['恋愛', '恋が物語の軸となる。'],
  }),
  tag('GENRE', 'genre:comedy', '#e3a72f', {
    en: ['Comedy', 'Written to make the reader laugh.'],
    zh: ['喜剧', '为博读者一笑而写。'],
    ja: ['コメディ', '読者を笑わせるために書かれた作品。'],
  }),
  tag(
    'GENRE',
    'genre:satire',
    '#c99a1e',
    {
      en: ['Satire', 'Laughs at its own time in order to correct it.'],
      zh: ['讽刺', '嘲笑时代，以求匡正。'],
      ja: ['風刺', '時代を笑い、正そうとする。'],
    },
    { parentTag: 'genre:comedy' },
  ),
  tag('GENRE', 'genre:tragedy', '#5b4a6b', {
    en: ['Tragedy', 'The end is foreseen and cannot be escaped.'],
    zh: ['悲剧', '结局早有预兆，却无从逃避。'],
    ja: ['悲劇', '結末は予感され、逃れることができない。'],
  }),
  tag('GENRE', 'genre:historical', '#8a6d3b', {
    en: ['Historical', 'Set in a past that matters to the story.'],
    zh: ['历史', '以对故事至关重要的过去为背景。'],
    ja: ['歴史', '物語に欠かせない過去を舞台とする。'],
  }),
  tag(
    'GENRE',
    'genre:war',
    '#73613f',
    {
      en: ['War', 'Campaigns, generals and those who pay for them.'],
      zh: ['战争', '战役、将帅，以及为之付出代价的人。'],
      ja: ['戦争', '戦いと将、そしてその代償を払う人びと。'],
    },
    { parentTag: 'genre:historical' },
  ),
  tag('GENRE', 'genre:slice-of-life', '#6aa84f', {
    en: ['Slice of life', 'Ordinary days, closely watched.'],
    zh: ['日常', '细细端详的平凡日子。'],
    ja: ['日常', '何気ない日々を丁寧に見つめる。'],
  }),
  tag('GENRE', 'genre:psychological', '#477a8c', {
    en: ['Psychological', 'The real events happen inside a mind.'],
    zh: ['心理', '真正的事件发生在内心。'],
    ja: ['心理', '本当の出来事は心の中で起こる。'],
  }),
  tag('GENRE', 'genre:children', '#58b09c', {
    en: ["Children's literature", 'Read to the young, reread by the old.'],
    zh: ['儿童文学', '幼时听人读，年长自己重读。'],
    ja: ['児童文学', '幼い頃に読み聞かせられ、大人になって読み返す。'],
  }),
  tag('GENRE', 'genre:epic', '#b0612f', {
    en: ['Epic', 'A wide canvas, many heroes, long years.'],
    zh: ['史诗', '画卷宏大，群雄并起，岁月漫长。'],
    ja: ['叙事詩', '広い舞台、多くの英雄、長い年月。'],
  }),
  tag(
    'GENRE',
    'genre:serial',
    '#a0a0a0',
    {
      en: ['Serial', 'No longer used: nearly every older novel was one.'],
      zh: ['连载小说', '已停用：旧时小说几乎都是连载。'],
      ja: ['連載小説', '使用終了。昔の小説はほとんどが連載だった。'],
    },
    { status: 'DEPRECATED' },
  ),
]

export const themes = () => [
  tag('THEME', 'theme:friendship', '#4fa3a5', {
    en: ['Friendship', 'Loyalty between people who chose each other.'],
    zh: ['友情', '彼此选择之人的情谊。'],
    ja: ['友情', '互いを選んだ者どうしの絆。'],
  }),
  tag('THEME', 'theme:revenge', '#a83232', {
    en: ['Revenge', 'An old wrong, paid back.'],
    zh: ['复仇', '旧怨得偿。'],
    ja: ['復讐', '昔の恨みを晴らす。'],
  }),
  tag('THEME', 'theme:loneliness', '#66788a', {
    en: ['Loneliness', 'Alone, or alone among others.'],
    zh: ['孤独', '独处，或身在人群中的孤独。'],
    ja: ['孤独', 'ひとりであること、人の中でひとりであること。'],
  }),
  tag('THEME', 'theme:journey', '#3d9970', {
    en: ['Journey', 'The road matters more than where it leads.'],
    zh: ['旅途', '路途本身比终点更重要。'],
    ja: ['旅', '行き着く先よりも道のりが大切である。'],
  }),
  tag('THEME', 'theme:justice', '#34609c', {
    en: ['Justice', 'Law, conscience and the gap between them.'],
    zh: ['正义', '法律、良知，以及两者之间的距离。'],
    ja: ['正義', '法と良心、そしてその隔たり。'],
  }),
  tag('THEME', 'theme:family', '#c7744f', {
    en: ['Family', 'Parents, children and what they owe one another.'],
    zh: ['家庭', '父母、子女，以及彼此的亏欠。'],
    ja: ['家族', '親と子、そして互いに負うもの。'],
  }),
  tag('THEME', 'theme:love-and-loss', '#b5577f', {
    en: ['Love and loss', 'What is loved is lost, and remembered.'],
    zh: ['爱与失去', '所爱终失，唯有记得。'],
    ja: ['愛と喪失', '愛したものは失われ、記憶に残る。'],
  }),
  tag('THEME', 'theme:court-life', '#96508f', {
    en: ['Court life', 'Palaces, etiquette and quiet rivalry.'],
    zh: ['宫廷', '殿宇、礼仪与无声的较量。'],
    ja: ['宮廷', '御殿と作法、静かな競い合い。'],
  }),
  tag('THEME', 'theme:sea', '#1f6f9f', {
    en: ['The sea', 'Ships, islands, deep water.'],
    zh: ['海洋', '船、岛屿与深海。'],
    ja: ['海', '船と島と深い水。'],
  }),
  tag('THEME', 'theme:guilt', '#4a4e69', {
    en: ['Guilt', 'A deed that will not stay in the past.'],
    zh: ['罪疚', '不肯留在过去的往事。'],
    ja: ['罪の意識', '過去にとどまらない行い。'],
  }),
  tag(
    'THEME',
    'theme:redemption',
    '#7d83a8',
    {
      en: ['Redemption', 'A second life, earned slowly.'],
      zh: ['救赎', '慢慢赢得的第二次人生。'],
      ja: ['贖罪', 'ゆっくりと勝ち取る第二の人生。'],
    },
    { parentTag: 'theme:guilt' },
  ),
  tag('THEME', 'theme:ambition', '#b8860b', {
    en: ['Ambition', 'Reaching further than one should.'],
    zh: ['野心', '伸手于不该触及之处。'],
    ja: ['野心', '手を伸ばしてはならぬところへ手を伸ばす。'],
  }),
  tag('THEME', 'theme:dreams', '#8f8fd9', {
    en: ['Dream worlds', 'The border between sleep and waking is open.'],
    zh: ['梦境', '梦与醒之间没有界线。'],
    ja: ['夢の世界', '眠りと目覚めの境が開いている。'],
  }),
  tag('THEME', 'theme:spirits', '#5f8f7b', {
    en: ['Ghosts and spirits', 'Foxes, ghosts and other neighbours.'],
    zh: ['鬼狐精怪', '狐仙、鬼魂与其他邻居。'],
    ja: ['幽霊と精霊', '狐や幽霊、そのほかの隣人たち。'],
  }),
  tag('THEME', 'theme:society', '#6d6875', {
    en: ['Social criticism', 'An unequal world, described without mercy.'],
    zh: ['社会批判', '毫不留情地写出不平的世道。'],
    ja: ['社会批判', '不平等な世を容赦なく描く。'],
  }),
  tag('THEME', 'theme:animals', '#9c8b4a', {
    en: ['Animals', 'Seen through eyes that are not human.'],
    zh: ['动物', '透过非人的眼睛来看。'],
    ja: ['動物', '人ではない目を通して見る。'],
  }),
  tag('THEME', 'theme:growing-up', '#79b852', {
    en: ['Growing up', 'The year after which nothing is the same.'],
    zh: ['成长', '从那一年起，一切都不同了。'],
    ja: ['成長', 'その年を境に、すべてが変わる。'],
  }),
]
