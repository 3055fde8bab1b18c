import { novel } from './work.ts'

/** European and North American classics. */
export const novelsOfTheWest = () => [
  novel({
    name: 'dracula',
    originalTitle: 'Dracula',
    released: '1897-05-26',
    tags: ['genre:gothic', 'genre:horror', 'theme:friendship', 'warning:violence', 'warning:death'],
    characters: ['dracula-count', 'dracula-mina', 'dracula-vanhelsing'],
    texts: {
      en: [
        'Dracula',
        'A young solicitor travels to the Carpathians to sell a house in London, and learns too late what kind of neighbour he is importing. Diaries, telegrams and a ship’s log piece together the hunt that follows.',
      ],
      zh: [
        '德古拉',
        '一名年轻律师前往喀尔巴阡山，为一栋伦敦宅邸办理买卖，等他明白自己引来怎样的邻居时，已经太迟。日记、电报和航海日志拼出了随后的追猎。',
      ],
      ja: [
        'ドラキュラ',
        'ロンドンの屋敷を売るためカルパチアの山奥へ向かった若い事務弁護士は、自分がどんな隣人を招こうとしているのか、気づいた時には遅かった。日記や電報、航海日誌が、その後の追跡を語り継ぐ。',
      ],
      fr: [
        'Dracula',
        'Un jeune clerc se rend dans les Carpates pour vendre une maison à Londres, et découvre trop tard à qui il ouvre la porte.',
      ],
    },
  }),
  novel({
    name: 'frankenstein',
    originalTitle: 'Frankenstein; or, The Modern Prometheus',
    released: '1818-01-01',
    tags: ['genre:science-fiction', 'genre:gothic', 'theme:loneliness', 'theme:ambition', 'warning:body-horror'],
    characters: ['frankenstein-victor', 'frankenstein-creature'],
    texts: {
      en: [
        'Frankenstein',
        'A student finds out how to give life to dead matter, and runs from what opens its eyes. The creature, left alone, learns language, then kindness, then the lack of it.',
      ],
      zh: [
        '弗兰肯斯坦',
        '一名学生找到了赋予死物生命的方法，却在它睁开眼睛时逃走。被遗弃的造物学会了语言，懂得了善意，也尝到了善意的缺席。',
      ],
      ja: [
        'フランケンシュタイン',
        '死んだ物質に命を与える方法を見つけた学生は、それが目を開けた瞬間に逃げ出す。取り残された被造物は、言葉を覚え、優しさを知り、そしてそれが自分には与えられないことを知る。',
      ],
    },
  }),
  novel({
    name: 'alice',
    originalTitle: 'Alice’s Adventures in Wonderland',
    released: '1865-11-26',
    tags: ['genre:children', 'genre:fantasy', 'genre:comedy', 'theme:dreams'],
    characters: ['alice-alice', 'alice-cheshire', 'alice-hatter', 'alice-queen'],
    texts: {
      en: [
        'Alice’s Adventures in Wonderland',
        'A girl follows a rabbit with a watch down a hole and arrives where size, manners and logic keep changing. She remains polite for as long as can be expected.',
      ],
      zh: [
        '爱丽丝梦游仙境',
        '小女孩跟着一只揣怀表的兔子掉进洞里，来到一个大小、礼仪和逻辑都变个不停的地方。她尽可能久地保持了礼貌。',
      ],
      ja: [
        '不思議の国のアリス',
        '懐中時計を持ったうさぎを追って穴に落ちた少女は、大きさも礼儀も理屈もくるくる変わる国にたどり着く。彼女はできるかぎり長く、礼儀正しくふるまおうとする。',
      ],
      th: ['อลิซในแดนมหัศจรรย์', 'เด็กหญิงคนหนึ่งตามกระต่ายที่พกนาฬิกาลงไปในโพรง และพบดินแดนที่ขนาด มารยาท และเหตุผลเปลี่ยนแปลงอยู่เสมอ'],
      ru: [
        'Приключения Алисы в Стране чудес',
        'Девочка спускается за кроликом в нору и попадает туда, где размеры, манеры и логика всё время меняются.',
      ],
    },
  }),
  novel({
    name: 'monte-cristo',
    originalTitle: 'Le Comte de Monte-Cristo',
    released: '1844-08-28',
    tags: ['genre:adventure', 'genre:historical', 'theme:revenge', 'theme:justice', 'theme:redemption'],
    characters: ['cristo-dantes', 'cristo-mercedes', 'cristo-faria'],
    texts: {
      en: [
        'The Count of Monte Cristo',
        'On the eve of his wedding a young sailor is denounced by three men with three reasons. Fourteen years later he leaves his dungeon with an education, a treasure and a list.',
      ],
      zh: [
        '基督山伯爵',
        '婚礼前夕，一名年轻水手被三个各怀心思的人告发。十四年后，他带着学识、宝藏和一份名单离开地牢。',
      ],
      ja: [
        'モンテ・クリスト伯',
        '婚礼の前夜、若い船乗りは三人の男の三つの思惑によって密告される。十四年後、彼は教養と財宝と、一つの名簿を携えて牢を出る。',
      ],
      fr: [
        'Le Comte de Monte-Cristo',
        'À la veille de ses noces, un jeune marin est dénoncé par trois hommes qui ont chacun leur raison.\n\nQuatorze ans plus tard, il quitte son cachot avec une éducation, un trésor et une liste.',
      ],
    },
  }),
  novel({
    name: 'twenty-thousand-leagues',
    originalTitle: 'Vingt mille lieues sous les mers',
    released: '1869-03-20',
    tags: ['genre:science-fiction', 'genre:adventure', 'theme:sea', 'theme:journey', 'theme:revenge'],
    characters: ['leagues-nemo', 'leagues-aronnax', 'leagues-ned'],
    texts: {
      en: [
        'Twenty Thousand Leagues Under the Seas',
        'An expedition to hunt a sea monster ends on board it: the monster is a submarine, and its captain has renounced the land and everyone on it. His guests may look at every wonder of the oceans, and may not leave.',
      ],
      zh: [
        '海底两万里',
        '一支追捕海怪的探险队最后登上了“海怪”：那是一艘潜艇，船长已与陆地和世人断绝往来。客人可以看遍海洋的奇景，只是不能离开。',
      ],
      ja: [
        '海底二万里',
        '海の怪物を追った一行は、やがてその中に迎えられる。怪物の正体は潜水艦で、艦長は陸とそこに住む人々を捨てた男だった。客人は海のあらゆる驚異を見ることができるが、去ることだけは許されない。',
      ],
      fr: [
        'Vingt mille lieues sous les mers',
        'Partis chasser un monstre marin, trois hommes se retrouvent à son bord : c’est un sous-marin, et nul n’a le droit d’en sortir.',
      ],
      vi: [
        'Hai vạn dặm dưới biển',
        'Đoàn người đi săn quái vật biển rốt cuộc lại ở trong bụng nó: một con tàu ngầm mà thuyền trưởng đã đoạn tuyệt với đất liền.',
      ],
    },
  }),
  novel({
    name: 'les-miserables',
    originalTitle: 'Les Misérables',
    released: '1862-03-30',
    tags: ['genre:historical', 'genre:epic', 'theme:society', 'theme:redemption', 'theme:justice', 'warning:death'],
    characters: ['miserables-valjean', 'miserables-javert', 'miserables-cosette'],
    texts: {
      en: [
        'Les Misérables',
        'Nineteen years in the galleys for a loaf of bread, and one night with a bishop who gives away his silver. Jean Valjean becomes another man, and the law that hunts him cannot see the difference.',
      ],
      zh: [
        '悲惨世界',
        '一块面包换来十九年苦役，一夜之间又遇见送出银器的主教。冉·阿让从此成了另一个人，而追捕他的法律却看不出分别。',
      ],
      ja: [
        'レ・ミゼラブル',
        '一切れのパンのために十九年の徒刑、そして銀の食器を差し出した司教との一夜。ジャン・ヴァルジャンは別の人間に生まれ変わるが、彼を追う法にはその違いが見えない。',
      ],
      fr: [
        'Les Misérables',
        'Dix-neuf ans de bagne pour un pain, puis une nuit chez un évêque qui donne son argenterie. Jean Valjean devient un autre homme ; la loi qui le poursuit n’en voit rien.',
      ],
      ru: [
        'Отверженные',
        'Девятнадцать лет каторги за кусок хлеба и одна ночь у епископа, отдавшего своё серебро, делают Жана Вальжана другим человеком.',
      ],
    },
  }),
  novel({
    name: 'anne',
    originalTitle: 'Anne of Green Gables',
    released: '1908-06-01',
    tags: ['genre:children', 'genre:slice-of-life', 'theme:family', 'theme:growing-up', 'theme:friendship'],
    characters: ['anne-anne', 'anne-marilla', 'anne-matthew'],
    texts: {
      en: [
        'Anne of Green Gables',
        'An elderly brother and sister on Prince Edward Island send for an orphan boy to help on the farm. The orphanage sends a girl with red hair, a great many words and an imagination that needs room.',
      ],
      zh: [
        '绿山墙的安妮',
        '爱德华王子岛上一对年迈的兄妹想领养一个男孩帮忙干农活，孤儿院却送来一个红头发的女孩，她话很多，想象力更需要一片天地。',
      ],
      ja: [
        '赤毛のアン',
        'プリンス・エドワード島の老いた兄妹は、畑仕事を手伝う男の子を引き取るつもりだった。やって来たのは、赤い髪とたくさんの言葉、そして広い場所を必要とする想像力を持つ女の子だった。',
      ],
    },
  }),
  novel({
    name: 'sherlock-holmes',
    originalTitle: 'The Adventures of Sherlock Holmes',
    released: '1892-10-14',
    tags: ['genre:detective', 'genre:mystery', 'theme:justice', 'theme:friendship', 'warning:substance-use'],
    characters: ['holmes-holmes', 'holmes-watson', 'holmes-adler'],
    texts: {
      en: [
        'The Adventures of Sherlock Holmes',
        'Twelve visitors bring twelve riddles up the stairs of 221B Baker Street: a compromised king, a league of red-headed men, a goose with a secret. Dr Watson writes it all down.',
      ],
      zh: [
        '福尔摩斯探案集',
        '十二位访客把十二道谜题带上贝克街221B的楼梯：受到要挟的国王、红发会、藏着秘密的鹅。华生医生一一记下。',
      ],
      ja: [
        'シャーロック・ホームズの冒険',
        '十二人の訪問者が、十二の謎をベイカー街221Bの階段へと運んでくる。醜聞に悩む王、赤毛の男たちの組合、秘密を抱えた鵞鳥。ワトソン医師がそのすべてを書きとめる。',
      ],
    },
  }),
  novel({
    name: 'crime-and-punishment',
    originalTitle: 'Преступление и наказание',
    released: '1866-01-01',
    tags: [
      'genre:psychological',
      'theme:guilt',
      'theme:redemption',
      'theme:society',
      'warning:violence',
      'warning:death',
    ],
    characters: ['crime-raskolnikov', 'crime-sonya'],
    texts: {
      en: [
        'Crime and Punishment',
        'In a room like a cupboard, a starving student in St Petersburg argues himself into murder: one worthless life against a hundred good deeds. The argument does not survive the deed.',
      ],
      zh: [
        '罪与罚',
        '圣彼得堡一间柜橱般的小屋里，挨饿的大学生说服自己去杀人：用一条无用的性命，换一百件善事。这套道理没能活过那一刻。',
      ],
      ja: [
        '罪と罰',
        'ペテルブルクの戸棚のような部屋で、飢えた学生は自分を説き伏せて人を殺す。無用な一つの命と、百の善行とを秤にかけて。しかしその理屈は、行いの後まで生き延びなかった。',
      ],
      ru: [
        'Преступление и наказание',
        'В каморке, похожей на шкаф, голодный студент доказывает себе, что имеет право на убийство.\n\nДоказательство не переживает самого поступка: начинается наказание, которого не назначал ни один суд.',
      ],
    },
  }),
]
