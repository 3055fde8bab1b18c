import { novel } from './work.ts'

/** Japanese novels and stories whose authors died long enough ago for the texts to be free in Japan. */
export const novelsOfJapan = () => [
  novel({
    name: 'kokoro',
    originalTitle: 'こころ',
    released: '1914-04-20',
    tags: ['genre:psychological', 'genre:tragedy', 'theme:guilt', 'theme:loneliness', 'warning:suicide'],
    characters: ['kokoro-sensei', 'kokoro-watashi', 'kokoro-k', 'kokoro-ojosan'],
    texts: {
      en: [
        'Kokoro',
        'On a beach at Kamakura a student attaches himself to an older man whom he simply calls Sensei. Sensei is courteous, idle and married, and visits one grave every month without saying whose it is.\n\nThe answer comes in a letter, long enough to fill half the book: the confession of a betrayal between two friends who loved the same woman, and of what silence does to a life.',
      ],
      zh: [
        '心',
        '在镰仓的海滨，一名学生结识了一位年长的男子，并一直称他为“先生”。先生彬彬有礼，无所事事，有一位妻子，每月都去祭扫一座坟墓，却从不说那是谁的。\n\n答案写在一封占了半部书的长信里：两位好友爱上同一个女子，其中一人背叛了另一人，而沉默就这样改变了一生。',
      ],
      ja: [
        'こころ',
        '鎌倉の海で出会った年上の男を、学生の「私」は先生と呼ぶようになる。先生は穏やかに暮らしているが、毎月ひとりで誰かの墓に参り、その名を明かさない。\n\nやがて届いた長い手紙が、友と同じ人を愛した過去と、その後の沈黙の年月を語りはじめる。',
      ],
      fr: [
        'Le Pauvre Cœur des hommes',
        'Un étudiant s’attache à un homme plus âgé qu’il appelle « le Maître ». Une longue lettre lui révélera la trahison qui pèse sur toute une vie.',
      ],
    },
  }),
  novel({
    name: 'i-am-a-cat',
    originalTitle: '吾輩は猫である',
    released: '1905-01-01',
    tags: ['genre:satire', 'genre:comedy', 'theme:animals', 'theme:society'],
    characters: ['cat-narrator', 'cat-kushami', 'cat-meitei'],
    texts: {
      en: [
        'I Am a Cat',
        'A nameless stray settles in the house of a dyspeptic schoolteacher and reports, with the dignity of a great scholar, on the follies of the humans who gather there to talk.',
      ],
      zh: [
        '我是猫',
        '一只没有名字的流浪猫住进了一位胃病缠身的中学教师家里，以大学者的口吻记录聚在那里高谈阔论的人类的种种可笑之处。',
      ],
      ja: [
        '吾輩は猫である',
        '名前のない猫が、胃弱の英語教師の家に住みつき、そこに集まる人間たちの滑稽な議論や暮らしぶりを、大学者のような口調で観察する。',
      ],
      vi: [
        'Tôi là con mèo',
        'Một chú mèo không tên sống trong nhà một thầy giáo đau dạ dày và kể lại, với giọng điệu của một học giả, những chuyện nực cười của loài người.',
      ],
    },
  }),
  novel({
    name: 'botchan',
    originalTitle: '坊っちゃん',
    released: '1906-04-01',
    tags: ['genre:comedy', 'theme:justice', 'theme:society'],
    characters: ['botchan-narrator', 'botchan-kiyo', 'botchan-redshirt'],
    texts: {
      en: [
        'Botchan',
        'A hot-headed young man from Tokyo takes his first post at a country school and finds the pupils cheeky, the food dull and the staff room full of intrigue. He knows only one way to deal with it: straight ahead.',
      ],
      zh: [
        '哥儿',
        '一个性急的东京青年到乡下中学任教，发现学生顽皮、饭菜乏味，教员室里更是勾心斗角。他只懂一种办法：直来直去。',
      ],
      ja: [
        '坊っちゃん',
        '無鉄砲な江戸っ子の青年が四国の中学校に赴任する。生徒のいたずらや教員たちの策略に囲まれても、彼の取る道はただ一つ、まっすぐぶつかることだけである。',
      ],
    },
  }),
  novel({
    name: 'rashomon',
    originalTitle: '羅生門',
    released: '1915-11-01',
    tags: ['genre:psychological', 'genre:historical', 'theme:society', 'warning:death', 'warning:violence'],
    characters: ['rashomon-servant', 'rashomon-woman'],
    texts: {
      en: [
        'Rashōmon',
        'A dismissed servant waits out the rain under the ruined gate of Kyoto, unable to decide between starving and stealing. Upstairs, among the abandoned dead, an old woman unknowingly decides it for him.',
      ],
      zh: [
        '罗生门',
        '一个被主人辞退的仆人在京都残破的城门下避雨，在饿死与做贼之间犹豫不决。城楼上横着无人收殓的尸体，一个老妇无意间替他做了决定。',
      ],
      ja: [
        '羅生門',
        '暇を出された下人が、荒れ果てた羅生門の下で雨やみを待ちながら、飢え死にするか盗人になるかを決めかねている。楼の上で出会った老婆の言葉が、思いがけず彼の心を決める。',
      ],
      ru: [
        'Ворота Расёмон',
        'Уволенный слуга пережидает дождь под разрушенными воротами Киото и не может решить, умереть ему с голоду или стать вором.',
      ],
    },
  }),
  novel({
    name: 'galactic-railroad',
    originalTitle: '銀河鉄道の夜',
    released: '1934-10-01',
    tags: [
      'genre:fantasy',
      'genre:children',
      'theme:journey',
      'theme:friendship',
      'theme:love-and-loss',
      'warning:death',
    ],
    characters: ['railroad-giovanni', 'railroad-campanella', 'railroad-birdcatcher'],
    texts: {
      en: [
        'Night on the Galactic Railroad',
        'On the night of the star festival, lonely Giovanni finds himself on a small train that runs along the Milky Way, with his friend Campanella in the seat across from him.\n\nStation by station they meet travellers who are on their way to somewhere else, and slowly Giovanni understands what kind of journey this is.',
      ],
      zh: [
        '银河铁道之夜',
        '星祭之夜，孤单的乔万尼发现自己坐在一列沿银河行驶的小火车上，对面是好友康帕内拉。\n\n一站又一站，他们遇见去往别处的旅客，乔万尼渐渐明白了这是一趟怎样的旅程。',
      ],
      ja: [
        '銀河鉄道の夜',
        '星祭りの夜、孤独な少年ジョバンニは、気がつくと天の川に沿って走る小さな列車に乗っていた。向かいの席には友だちのカムパネルラがいる。\n\n駅ごとに不思議な乗客と出会いながら、ジョバンニはこの旅の意味を少しずつ知っていく。',
      ],
      th: ['คืนหนึ่งบนรถไฟสายทางช้างเผือก', 'ในคืนเทศกาลดวงดาว เด็กชายผู้เดียวดายพบว่าตนเองนั่งอยู่บนรถไฟที่แล่นไปตามทางช้างเผือกกับเพื่อนรัก'],
      fr: [
        'Train de nuit dans la Voie lactée',
        'La nuit de la fête des étoiles, Giovanni monte avec son ami Campanella dans un petit train qui longe la Voie lactée.',
      ],
    },
  }),
  novel({
    name: 'human-chair',
    originalTitle: '人間椅子',
    released: '1925-10-01',
    tags: ['genre:horror', 'genre:mystery', 'genre:psychological', 'warning:body-horror'],
    characters: ['chair-yoshiko', 'chair-maker'],
    texts: {
      en: [
        'The Human Chair',
        'A celebrated authoress opens a thick manuscript from a stranger. It begins as a confession, made by a craftsman about the finest armchair he ever built, and it is addressed to the chair’s present owner.',
      ],
      zh: [
        '人间椅子',
        '一位当红女作家拆开陌生人寄来的厚厚手稿。那是一名椅匠的自白，讲他亲手做过的最好的一把扶手椅，而收信人正是这把椅子现在的主人。',
      ],
      ja: [
        '人間椅子',
        '人気の女流作家のもとに、見知らぬ男から分厚い原稿が届く。それは、最高の肘掛椅子を作り上げた職人が、その椅子の今の持ち主に宛てた告白だった。',
      ],
    },
  }),
  novel({
    name: 'genji',
    originalTitle: '源氏物語',
    released: '1008-01-01',
    tags: ['genre:romance', 'genre:historical', 'theme:court-life', 'theme:love-and-loss'],
    characters: ['genji-hikaru', 'genji-murasaki', 'genji-fujitsubo', 'genji-rokujo'],
    texts: {
      en: [
        'Tale of Genji',
        'The shining son of an emperor, barred from the succession, moves through the Heian court: its love letters, its perfumes, its music, its jealous spirits. Written by a lady of that court about a thousand years ago, it follows him from birth to his last years, and then his heirs.\n\nThe date given here is that of the diary entry which first mentions it.',
      ],
      zh: [
        '源氏物语',
        '光彩照人的皇子与皇位无缘，周旋于平安朝的宫廷：情书、熏香、音律，以及因妒生出的怨灵。约一千年前由宫中女官写成，从他出生写到晚年，再写到他的后代。\n\n此处日期取自最早提到本书的日记。',
      ],
      ja: [
        '源氏物語',
        '帝の子に生まれながら臣下に下った光源氏の生涯を、恋文と香と音楽、そして物の怪とともに描く。およそ千年前、宮中に仕えた女性の手で書かれ、物語はその子や孫の代にまで及ぶ。\n\nここに記した年は、日記に初めてこの物語の名が見える年である。',
      ],
    },
  }),
  novel({
    name: 'takekurabe',
    originalTitle: 'たけくらべ',
    released: '1895-01-30',
    tags: ['genre:slice-of-life', 'theme:growing-up', 'theme:society'],
    characters: ['takekurabe-midori', 'takekurabe-nobuyuki'],
    texts: {
      en: [
        'Growing Up',
        'In the streets beside the Yoshiwara quarter, children quarrel, make up and fall half in love through one summer and autumn. Each of them already has a future chosen by others, and one by one they begin to see it.',
      ],
      zh: [
        '青梅竹马',
        '在吉原花街旁的小巷里，孩子们从夏到秋争吵、和好、情窦初开。每个人的将来早已由别人定下，而他们正一个接一个地看清它。',
      ],
      ja: [
        'たけくらべ',
        '吉原に隣り合う町で、子どもたちは夏から秋へ、喧嘩をし、仲直りをし、淡い恋を知る。それぞれの行く末はすでに大人に決められており、ひとり、またひとりとそれに気づいていく。',
      ],
    },
  }),
  novel({
    name: 'run-melos',
    originalTitle: '走れメロス',
    released: '1940-05-01',
    tags: ['genre:adventure', 'theme:friendship', 'theme:justice'],
    characters: ['melos-melos', 'melos-selinuntius', 'melos-dionysius'],
    texts: {
      en: [
        'Run, Melos!',
        'Condemned by a tyrant who trusts no one, Melos is given three days to see his sister married. His friend stays behind as hostage, and dies in his place if he is late. The road back has a flood, bandits and his own tired heart.',
      ],
      zh: [
        '奔跑吧，梅洛斯',
        '暴君不信任何人，梅洛斯被判死刑，获准三天去为妹妹完婚。好友留下作人质，他若迟到便替他受死。归途上有洪水、强盗，还有他自己疲惫的心。',
      ],
      ja: [
        '走れメロス',
        '人を信じられぬ王に死を命じられたメロスは、妹の婚礼のため三日の猶予を得る。身代わりとなった友を救うには、濁流も山賊も、そして自らの弱さも越えて、日没までに走り帰らねばならない。',
      ],
    },
  }),
  novel({
    name: 'no-longer-human',
    originalTitle: '人間失格',
    released: '1948-06-01',
    tags: ['genre:psychological', 'genre:tragedy', 'theme:loneliness', 'warning:suicide', 'warning:substance-use'],
    characters: ['human-yozo', 'human-horiki'],
    texts: {
      en: [
        'No Longer Human',
        'Three notebooks, left behind by a man who has feared other people since childhood and learned to hide it by clowning. They record, in a voice of terrible politeness, how the mask wore through.',
      ],
      zh: [
        '人间失格',
        '一个从小惧怕他人、学会以扮丑角来掩饰的男子，留下了三本手记。他以近乎残忍的礼貌，写下面具如何一点点磨穿。',
      ],
      ja: [
        '人間失格',
        '幼い頃から人を恐れ、道化を演じることでそれを隠してきた男が残した三つの手記。痛ましいほど丁寧な声で、仮面がすり切れていく過程が綴られる。',
      ],
      ru: [
        'Исповедь «неполноценного» человека',
        'Три тетради человека, который с детства боялся людей и прятал этот страх за шутовством.',
      ],
    },
  }),
]
