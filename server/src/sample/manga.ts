import { manga } from './work.ts'

/** Twelve manga that nobody drew, after novels that anybody may adapt. */
export const mangaAdaptations = () => [
  manga({
    name: 'rashomon',
    of: 'rashomon',
    originalTitle: '漫画版 羅生門',
    released: '2021-11-01',
    ongoing: false,
    chapters: 6,
    tags: ['genre:psychological', 'genre:historical', 'warning:violence', 'warning:death'],
    characters: ['rashomon-servant', 'rashomon-woman'],
    texts: {
      en: [
        'Rashōmon: A Manga Adaptation',
        'One night, one gate, and rain on every page. The ink grows darker with each chapter until only the old woman’s torch is left white.',
      ],
      zh: ['罗生门：漫画版', '一夜、一门，页页皆雨。墨色一话比一话更深，最后只剩老妇手中的火把是白的。'],
      ja: [
        '漫画版 羅生門',
        '一夜、一つの門、そして全ての頁に降る雨。話を追うごとに墨は濃くなり、最後に白く残るのは老婆の持つ火だけである。',
      ],
    },
  }),
  manga({
    name: 'i-am-a-cat',
    of: 'i-am-a-cat',
    originalTitle: '四コマ 吾輩は猫である',
    released: '2023-02-22',
    ongoing: true,
    chapters: 148,
    tags: ['genre:comedy', 'genre:slice-of-life', 'theme:animals'],
    characters: ['cat-narrator', 'cat-kushami', 'cat-meitei'],
    texts: {
      en: [
        'I Am a Cat in Four Panels',
        'The great satire cut into daily strips. The cat comments; the teacher has a stomach ache; the fourth panel belongs to the cat.',
      ],
      zh: ['四格我是猫', '把这部讽刺名著裁成每日四格。猫发表评论，教师闹胃痛，第四格总归属于猫。'],
      ja: [
        '四コマ 吾輩は猫である',
        '名作の風刺を毎日の四コマに。猫が論じ、先生は胃を痛め、四コマ目は必ず猫のものになる。',
      ],
    },
  }),
  manga({
    name: 'galactic-railroad',
    of: 'galactic-railroad',
    originalTitle: '漫画 銀河鉄道の夜',
    released: '2019-07-07',
    ongoing: false,
    chapters: 24,
    tags: ['genre:fantasy', 'theme:journey', 'theme:friendship', 'theme:love-and-loss'],
    characters: ['railroad-giovanni', 'railroad-campanella', 'railroad-birdcatcher'],
    texts: {
      en: [
        'Night on the Galactic Railroad: The Manga',
        'Twenty-four stations, one chapter each. The carriage is drawn in pencil; everything outside the window is in colour.',
      ],
      zh: ['银河铁道之夜：漫画', '二十四个车站，一站一话。车厢用铅笔画成，窗外的一切都是彩色的。'],
      ja: ['漫画 銀河鉄道の夜', '二十四の駅を一話ずつ。車内は鉛筆で、窓の外だけが色で描かれる。'],
    },
  }),
  manga({
    name: 'human-chair',
    of: 'human-chair',
    originalTitle: '人間椅子 劇画版',
    released: '2022-10-21',
    ongoing: false,
    chapters: 9,
    tags: ['genre:horror', 'genre:psychological', 'warning:body-horror'],
    characters: ['chair-yoshiko', 'chair-maker'],
    texts: {
      en: [
        'The Human Chair: A Graphic Version',
        'We see the rooms only from the height of a seat. The reader notices before the characters do what that must mean.',
      ],
      zh: ['人间椅子：剧画版', '所有房间都从座椅的高度看去。读者会比书中人先明白这意味着什么。'],
      ja: [
        '人間椅子 劇画版',
        'どの部屋も椅子の座面の高さから描かれる。その意味に、読者は登場人物より先に気づくことになる。',
      ],
    },
  }),
  manga({
    name: 'genji',
    of: 'genji',
    originalTitle: '源氏絵巻',
    released: '2018-03-03',
    ongoing: true,
    chapters: 97,
    tags: ['genre:romance', 'genre:historical', 'theme:court-life'],
    characters: ['genji-hikaru', 'genji-murasaki', 'genji-fujitsubo', 'genji-rokujo'],
    texts: {
      en: [
        'Genji: The Picture Scroll',
        'A retelling without panels: each chapter is one long scroll with the roofs blown off, read from right to left through the seasons.',
      ],
      zh: ['源氏绘卷', '没有分格的重述：每一话是一幅掀去屋顶的长卷，从右往左，穿过四季。'],
      ja: [
        '源氏絵巻',
        'コマ割りのない語り直し。一話ごとが屋根を取り払った一本の絵巻で、右から左へ、季節をたどって読む。',
      ],
    },
  }),
  manga({
    name: 'run-melos',
    of: 'run-melos',
    originalTitle: '走れメロス 疾走',
    released: '2024-05-04',
    ongoing: false,
    chapters: 12,
    tags: ['genre:adventure', 'theme:friendship', 'theme:justice'],
    characters: ['melos-melos', 'melos-selinuntius', 'melos-dionysius'],
    texts: {
      en: [
        'Run, Melos! The Run',
        'A sports manga in sandals. Twelve chapters, each a quarter of the last day, with the sun sinking in the corner of every page.',
      ],
      zh: ['奔跑吧，梅洛斯：疾走', '一部穿凉鞋的运动漫画。十二话讲完最后一天，每一页的角落里太阳都在下沉。'],
      ja: [
        '走れメロス 疾走',
        'サンダルを履いたスポーツ漫画。十二話で最後の一日を描き、どの頁の隅でも太陽が沈んでいく。',
      ],
    },
  }),
  manga({
    name: 'journey-to-the-west',
    of: 'journey-to-the-west',
    originalTitle: '新西遊記',
    released: '2020-01-25',
    ongoing: true,
    chapters: 81,
    tags: ['genre:adventure', 'genre:fantasy', 'genre:comedy', 'theme:journey'],
    characters: ['journey-wukong', 'journey-tripitaka', 'journey-bajie', 'journey-wujing'],
    texts: {
      en: [
        'Journey to the West: Eighty-One Chapters',
        'One ordeal per chapter, drawn at a gallop. The monk grows braver, the monkey calmer, the pig remains the pig.',
      ],
      zh: ['新西游记：八十一话', '一难一话，笔势如奔马。和尚渐渐勇敢，猴子渐渐沉静，猪还是那头猪。'],
      ja: [
        '新西遊記 八十一話',
        '一話に一つの苦難を、駆けるような筆で。僧は強くなり、猿は静かになり、豚は豚のままである。',
      ],
      vi: ['Tân Tây du ký', 'Mỗi chương một kiếp nạn, vẽ nhanh như ngựa phi.'],
    },
  }),
  manga({
    name: 'strange-tales',
    of: 'strange-tales',
    originalTitle: '聊齋百夜',
    released: '2025-08-29',
    ongoing: true,
    chapters: 17,
    tags: ['genre:folklore', 'genre:horror', 'theme:spirits'],
    characters: ['strange-nie', 'strange-yingning'],
    texts: {
      en: [
        'One Hundred Nights of Strange Tales',
        'A fox keeps a tea house where the guests pay with stories. Each night is one old tale, and the price goes up.',
      ],
      zh: ['聊斋百夜', '狐女开了一间茶馆，客人以故事付账。一夜一则旧谈，价钱越来越高。'],
      ja: ['聊斎百夜', '狐の営む茶館では、客は物語で代金を払う。一夜に一つの古い話、そして値は上がっていく。'],
    },
  }),
  manga({
    name: 'dracula',
    of: 'dracula',
    originalTitle: 'DRACULA 封蝋の書簡',
    released: '2022-05-26',
    ongoing: false,
    chapters: 31,
    tags: ['genre:gothic', 'genre:horror', 'warning:violence'],
    characters: ['dracula-count', 'dracula-mina', 'dracula-vanhelsing'],
    texts: {
      en: [
        'Dracula: Letters Under Seal',
        'Mina types, and the pages are what she types: stained, torn, re-ordered. The Count never appears in a panel of his own.',
      ],
      zh: [
        '德古拉：封蜡书简',
        '米娜打字，书页便是她打出的稿纸：有污渍、有撕痕、次序错乱。伯爵从未拥有属于自己的一格。',
      ],
      ja: [
        'DRACULA 封蝋の書簡',
        'ミナがタイプを打ち、その紙がそのまま頁になる。染み、破れ、入れ替わった順序。伯爵だけは、ひとつのコマも与えられない。',
      ],
    },
  }),
  manga({
    name: 'alice',
    of: 'alice',
    originalTitle: 'アリスと地下の図書館',
    released: '2024-11-26',
    ongoing: true,
    chapters: 20,
    tags: ['genre:fantasy', 'genre:children', 'theme:dreams'],
    characters: ['alice-alice', 'alice-cheshire', 'alice-hatter', 'alice-queen'],
    texts: {
      en: [
        'Alice and the Library Below',
        'This time the hole leads to shelves. Every book Alice opens is a door, and the cat has already read them all.',
      ],
      zh: ['爱丽丝与地下图书馆', '这一次，洞底是书架。爱丽丝翻开的每本书都是一扇门，而那只猫早已读遍。'],
      ja: [
        'アリスと地下の図書館',
        '今度の穴の底には本棚があった。アリスの開く本はどれも扉で、猫はすでに全部読んでいる。',
      ],
    },
  }),
  manga({
    name: 'monte-cristo',
    of: 'monte-cristo',
    originalTitle: '巌窟の王',
    released: '2017-02-24',
    ongoing: false,
    chapters: 117,
    tags: ['genre:adventure', 'genre:historical', 'theme:revenge', 'theme:justice'],
    characters: ['cristo-dantes', 'cristo-mercedes', 'cristo-faria'],
    texts: {
      en: [
        'King of the Rock',
        'As many chapters as the novel has, told by the people on the list. Only the last chapter shows the Count’s face.',
      ],
      zh: ['岩窟之王', '话数与原著章数相同，由名单上的人轮流讲述。直到最后一话才画出伯爵的面容。'],
      ja: [
        '巌窟の王',
        '原作の章と同じ数だけの話を、名簿に記された者たちが語る。伯爵の顔が描かれるのは最終話だけである。',
      ],
      fr: ['Le Roi du roc', 'Autant de chapitres que le roman, racontés par ceux dont le nom figure sur la liste.'],
    },
  }),
  manga({
    name: 'twenty-thousand-leagues',
    of: 'twenty-thousand-leagues',
    originalTitle: '海底二万里 深藍の記録',
    released: '2025-03-20',
    ongoing: true,
    chapters: 28,
    tags: ['genre:science-fiction', 'genre:adventure', 'theme:sea'],
    characters: ['leagues-nemo', 'leagues-aronnax', 'leagues-ned'],
    texts: {
      en: [
        'Twenty Thousand Leagues: The Deep Blue Log',
        'The professor’s logbook with cutaway drawings of every deck. The deeper the dive, the fewer the words.',
      ],
      zh: ['海底两万里：深蓝日志', '教授的航海日志，附有每层甲板的剖面图。潜得越深，文字越少。'],
      ja: ['海底二万里 深藍の記録', '各甲板の断面図を添えた教授の航海日誌。深く潜るほど、言葉は少なくなる。'],
    },
  }),
]
