import { novel } from './work.ts'

/** Chinese, Vietnamese and Thai classics. */
export const novelsOfAsia = () => [
  novel({
    name: 'journey-to-the-west',
    originalTitle: '西遊記',
    released: '1592-01-01',
    tags: ['genre:epic', 'genre:fantasy', 'genre:comedy', 'theme:journey', 'theme:redemption'],
    characters: ['journey-wukong', 'journey-tripitaka', 'journey-bajie', 'journey-wujing'],
    texts: {
      en: [
        'Journey to the West',
        'A monkey born from stone storms heaven, loses to the Buddha and spends five hundred years under a mountain. To earn his freedom he must bring a gentle, gullible monk to India for the scriptures, along with a greedy pig, a silent river ogre and a dragon who is a horse.\n\nEighty-one ordeals later, none of them is quite who he was.',
      ],
      zh: [
        '西游记',
        '石中生出的猴子大闹天宫，败于如来，被压在山下五百年。为了重获自由，他要护送一位心软又容易上当的和尚去西天取经，同行的还有贪吃的猪、沉默的河妖和化作白马的龙。\n\n历经八十一难之后，谁也不再是原来的自己。',
      ],
      ja: [
        '西遊記',
        '石から生まれた猿は天界で大暴れし、釈迦に敗れて五百年も山の下に封じられる。許されるためには、心優しく騙されやすい僧を守り、食いしん坊の豚、無口な河の妖怪、馬に姿を変えた竜とともに天竺へ経典を取りに行かねばならない。\n\n八十一の苦難の果てに、誰もが元の自分ではなくなっている。',
      ],
      vi: [
        'Tây du ký',
        'Tôn Ngộ Không cùng Trư Bát Giới và Sa Ngộ Tĩnh phò tá Đường Tăng sang Tây Trúc thỉnh kinh, trải qua tám mươi mốt kiếp nạn.',
      ],
      th: ['ไซอิ๋ว', 'ลิงผู้เกิดจากหินคุ้มครองพระถังซัมจั๋งเดินทางไปอัญเชิญพระไตรปิฎกที่ชมพูทวีป'],
    },
  }),
  novel({
    name: 'red-chamber',
    originalTitle: '紅樓夢',
    released: '1791-01-01',
    tags: ['genre:romance', 'genre:tragedy', 'theme:family', 'theme:court-life', 'theme:dreams', 'theme:love-and-loss'],
    characters: ['chamber-baoyu', 'chamber-daiyu', 'chamber-baochai', 'chamber-xifeng'],
    texts: {
      en: [
        'Dream of the Red Chamber',
        'A boy is born with a piece of jade in his mouth into a great house that has already begun to fall. In its garden he grows up among cousins and maids, writes poems, and loves the one he will not be allowed to marry.',
      ],
      zh: [
        '红楼梦',
        '一个衔玉而生的男孩，来到一个已经开始败落的大家族。他在园中与姐妹、丫鬟一同长大，吟诗作对，爱上了那个注定不能相守的人。',
      ],
      ja: [
        '紅楼夢',
        '玉を口に含んで生まれた少年は、すでに傾きはじめた名家に育つ。庭園で従姉妹や侍女たちと詩を詠み交わしながら、彼は結ばれることのない人を愛する。',
      ],
    },
  }),
  novel({
    name: 'three-kingdoms',
    originalTitle: '三國演義',
    released: '1522-01-01',
    tags: ['genre:epic', 'genre:war', 'theme:ambition', 'theme:friendship', 'warning:violence'],
    characters: ['kingdoms-liubei', 'kingdoms-guanyu', 'kingdoms-zhugeliang', 'kingdoms-caocao'],
    texts: {
      en: [
        'Romance of the Three Kingdoms',
        'The Han dynasty falls apart, three brothers swear an oath in a peach garden, and for a century generals and strategists fight over what is left. What was long divided must unite, the book says; what was long united must divide.',
      ],
      zh: ['三国演义', '汉室倾颓，三人在桃园结义，此后近百年，将帅与谋士争夺残破的天下。书中说：分久必合，合久必分。'],
      ja: [
        '三国志演義',
        '漢王朝が崩れ、三人の男が桃園で義兄弟の契りを結ぶ。それから百年近く、将と軍師たちが天下を争う。分かれて久しければ必ず合し、合して久しければ必ず分かれる、と物語は言う。',
      ],
      vi: [
        'Tam quốc diễn nghĩa',
        'Nhà Hán suy tàn, ba người kết nghĩa ở vườn đào, và thiên hạ chia ba suốt gần một thế kỷ.',
      ],
      th: ['สามก๊ก', 'เมื่อราชวงศ์ฮั่นล่มสลาย แผ่นดินแตกออกเป็นสามก๊ก เหล่าขุนศึกและกุนซือต่างชิงชัยกันเกือบร้อยปี'],
    },
  }),
  novel({
    name: 'water-margin',
    originalTitle: '水滸傳',
    released: '1589-01-01',
    tags: ['genre:epic', 'genre:adventure', 'theme:justice', 'warning:violence', 'warning:substance-use'],
    characters: ['margin-songjiang', 'margin-luzhishen'],
    texts: {
      en: [
        'Water Margin',
        'Driven out by corrupt officials, one hundred and eight men and women, among them a monk, a tattooed clerk, a tiger killer and an arms instructor, gather in the marshes of Mount Liang and make a law of their own.',
      ],
      zh: [
        '水浒传',
        '一百零八位好汉被贪官逼得走投无路，其中有和尚、刺面的小吏、打虎的英雄与禁军教头，他们在梁山泊聚义，立下自己的规矩。',
      ],
      ja: [
        '水滸伝',
        '腐敗した役人に追われた百八人の豪傑たち。僧侶、刺青の小役人、虎退治の男、武芸師範などが梁山泊に集い、自分たちの掟を打ち立てる。',
      ],
    },
  }),
  novel({
    name: 'strange-tales',
    originalTitle: '聊齋志異',
    released: '1766-01-01',
    tags: ['genre:folklore', 'genre:horror', 'theme:spirits', 'theme:love-and-loss'],
    characters: ['strange-nie', 'strange-yingning'],
    texts: {
      en: [
        'Strange Tales from a Chinese Studio',
        'Nearly five hundred stories, collected by a failed examination candidate: foxes who keep better faith than husbands, ghosts with unpaid debts, painted skins, clever insects and magistrates who should have known better.',
      ],
      zh: [
        '聊斋志异',
        '一位屡试不第的书生收集的近五百篇故事：比丈夫更守信的狐女，债务未清的鬼魂，画皮，灵巧的虫儿，以及本该明理的县官。',
      ],
      ja: [
        '聊斎志異',
        '科挙に落ち続けた文人が集めた五百篇近い物語。夫よりも誠実な狐、借りを残した幽霊、絵に描いた皮、賢い虫、道理を知るべきだった役人たちが登場する。',
      ],
    },
  }),
  novel({
    name: 'ah-q',
    originalTitle: '阿Q正傳',
    released: '1921-12-04',
    tags: ['genre:satire', 'genre:tragedy', 'theme:society', 'warning:death', 'warning:period-attitudes'],
    characters: ['ahq-ahq'],
    texts: {
      en: [
        'The True Story of Ah Q',
        'A village day labourer without family name or possessions turns each humiliation into a victory in his own mind. Then the revolution comes to Weizhuang, and he would like to join it.',
      ],
      zh: ['阿Q正传', '未庄的短工阿Q无名无产，却总能在心里把每一次屈辱变成胜利。后来革命来到未庄，他也想参加。'],
      ja: [
        '阿Q正伝',
        '姓も財産もない日雇いの阿Qは、どんな屈辱も心の中で勝利に変えてしまう。やがて村に革命の波が届き、彼もそれに加わろうとする。',
      ],
    },
  }),
  novel({
    name: 'kieu',
    originalTitle: 'Truyện Kiều',
    released: '1820-01-01',
    tags: ['genre:epic', 'genre:romance', 'theme:family', 'theme:love-and-loss', 'warning:suicide'],
    characters: ['kieu-kieu'],
    texts: {
      en: [
        'The Tale of Kiều',
        'To save her father from prison, a gifted young woman sells herself and loses the man she has promised to marry. Fifteen years pass in 3,254 lines of verse that many Vietnamese readers still know by heart.',
      ],
      zh: [
        '金云翘传',
        '为救父亲出狱，才女翠翘卖身，与定情之人分离。十五年的漂泊写成三千二百五十四行诗，至今仍有许多越南人能够背诵。',
      ],
      ja: [
        '金雲翹',
        '父を牢から救うため身を売った才女は、誓いを交わした人と引き離される。十五年の流転を歌う三千二百五十四行の詩は、今もベトナムの多くの人にそらんじられている。',
      ],
      vi: [
        'Truyện Kiều',
        'Để cứu cha khỏi vòng tù tội, nàng Kiều tài sắc phải bán mình và lỗi hẹn với người yêu.\n\nMười lăm năm lưu lạc được kể lại trong ba nghìn hai trăm năm mươi tư câu thơ lục bát mà nhiều người Việt đến nay vẫn thuộc lòng.',
      ],
      fr: [
        'Kim-Vân-Kiều',
        'Pour sauver son père, une jeune femme se vend et perd l’homme qu’elle aime ; quinze années d’errance en vers.',
      ],
    },
  }),
  novel({
    name: 'phra-aphai-mani',
    originalTitle: 'พระอภัยมณี',
    released: '1870-01-01',
    tags: ['genre:epic', 'genre:fantasy', 'genre:adventure', 'theme:sea', 'theme:journey'],
    characters: ['aphai-aphai', 'aphai-mermaid'],
    texts: {
      en: [
        'Phra Aphai Mani',
        'A prince who learned the flute instead of the sword is carried off by an ocean giantess and escapes with the help of mermaids. A verse romance of islands, sea voyages and many marriages, told by the poet Sunthorn Phu.',
      ],
      zh: [
        '帕阿派玛尼',
        '一位王子不学刀剑而学吹笛，被海中女巨人掳走，又在人鱼的帮助下逃脱。这是诗人顺通蒲笔下关于岛屿、航海与姻缘的长诗。',
      ],
      ja: [
        'プラ・アパイマニー',
        '剣ではなく笛を学んだ王子は、海の女巨人にさらわれ、人魚たちに助けられて逃れる。詩人スントーン・プーが語る、島々と航海と数々の縁の長編詩。',
      ],
      th: [
        'พระอภัยมณี',
        'เจ้าชายผู้เลือกเรียนวิชาเป่าปี่แทนเพลงดาบถูกนางผีเสื้อสมุทรลักพาตัวไป ก่อนจะหนีรอดมาได้ด้วยความช่วยเหลือของเงือก\n\nเป็นนิทานคำกลอนของสุนทรภู่ที่ว่าด้วยเกาะแก่ง ท้องทะเล และการผจญภัย',
      ],
    },
  }),
]
