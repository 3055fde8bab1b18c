import { person } from './person.ts'

/** From books written in English. */
export const charactersInEnglish = () => [
  person('dracula-count', 'Count Dracula', ['male', 'non-human', 'villain', 'proud', 'mysterious'], {
    en: [
      'Count Dracula',
      'A courteous host who neither eats nor drinks and has read every railway timetable of England. He must be invited in.',
    ],
    zh: ['德古拉伯爵', '彬彬有礼的主人，不吃不喝，读遍了英国的火车时刻表。没有主人邀请，他便不能进门。'],
    ja: [
      'ドラキュラ伯爵',
      '礼儀正しいが、食べも飲みもせず、英国の鉄道時刻表を読みつくした城主。招かれなければ家に入れない。',
    ],
    fr: [
      'Le comte Dracula',
      'Hôte courtois qui ne mange ni ne boit, et qui a lu tous les horaires de chemins de fer d’Angleterre.',
    ],
  }),
  person('dracula-mina', 'Mina Harker', ['female', 'clever', 'brave'], {
    en: [
      'Mina Harker',
      'She knows shorthand and typewriting, and puts the evidence of six people in order. Without her the hunters would have nothing to go by.',
    ],
    zh: ['米娜·哈克', '会速记，会打字，把六个人的证词整理得井井有条。没有她，追猎者便无从着手。'],
    ja: ['ミナ・ハーカー', '速記とタイプを習得し、六人分の記録を整理した女性。彼女なしには追跡は成り立たなかった。'],
  }),
  person('dracula-vanhelsing', 'Abraham Van Helsing', ['male', 'scholar', 'brave'], {
    en: [
      'Van Helsing',
      'Physician, lawyer and philosopher from Amsterdam, with a bag full of garlic flowers and an English grammar of his own.',
    ],
    zh: ['范海辛', '来自阿姆斯特丹的医生、律师兼哲学家，提着一袋大蒜花，说着自成一格的英语。'],
    ja: [
      'ヴァン・ヘルシング',
      'アムステルダムから来た医師にして法律家、哲学者。鞄に大蒜の花を詰め、独特の英語を話す。',
    ],
  }),
  person('frankenstein-victor', 'Victor Frankenstein', ['male', 'scholar', 'clever', 'proud'], {
    en: [
      'Victor Frankenstein',
      'Two years of work without rest, one night of success, and a lifetime of looking over his shoulder.',
    ],
    zh: ['维克多·弗兰肯斯坦', '两年不眠不休，一夜成功，余生都在回头张望。'],
    ja: ['ヴィクター・フランケンシュタイン', '休みなき二年の研究、成功の一夜、そして背後を振り返り続ける生涯。'],
  }),
  person('frankenstein-creature', 'The Creature', ['male', 'non-human', 'melancholic', 'clever'], {
    en: [
      'The Creature',
      'Eight feet tall and nameless. He learned to read from Milton and Plutarch, and to hate from those who saw his face.',
    ],
    zh: ['造物', '身高八英尺，没有名字。他从弥尔顿和普鲁塔克那里学会阅读，从看见他面孔的人那里学会憎恨。'],
    ja: [
      '怪物',
      '身の丈八フィート、名前はない。ミルトンとプルタルコスから読むことを学び、彼の顔を見た人々から憎むことを学んだ。',
    ],
  }),
  person('alice-alice', 'Alice', ['female', 'clever', 'brave'], {
    en: [
      'Alice',
      'Seven years old and fond of pretending to be two people. She usually gives herself very good advice, and seldom follows it.',
    ],
    zh: ['爱丽丝', '七岁，喜欢假装自己是两个人。她常给自己极好的忠告，却很少照做。'],
    ja: ['アリス', '七歳。一人二役のまねごとが好き。自分にとてもよい忠告をするが、めったに従わない。'],
    th: ['อลิซ', 'เด็กหญิงวัยเจ็ดขวบผู้ชอบให้คำแนะนำดี ๆ แก่ตนเอง แต่ไม่ค่อยทำตาม'],
  }),
  person('alice-cheshire', 'Cheshire Cat', ['male', 'non-human', 'trickster', 'mysterious'], {
    en: [
      'The Cheshire Cat',
      'It vanishes from the tail forwards and leaves the grin for last. It is the only one there who admits to being mad.',
    ],
    zh: ['柴郡猫', '从尾巴开始消失，笑容留到最后。那里只有它承认自己是疯的。'],
    ja: ['チェシャ猫', '尾から消えはじめ、にやにや笑いを最後に残す。自分が狂っていると認めるのはこの猫だけである。'],
    vi: ['Mèo Cheshire', 'Chú mèo biến mất dần từ cái đuôi và để lại nụ cười sau cùng.'],
  }),
  person('alice-hatter', 'The Hatter', ['male', 'trickster'], {
    en: [
      'The Hatter',
      'It is always six o’clock, so it is always tea. He has a riddle without an answer, and a watch that tells the day of the month.',
    ],
    zh: ['疯帽匠', '时间永远是六点，所以永远是下午茶。他有一个没有答案的谜语，和一块报日子的表。'],
    ja: ['帽子屋', 'いつも六時なので、いつもお茶の時間。答えのないなぞなぞと、日付のわかる時計を持っている。'],
  }),
  person('alice-queen', 'Queen of Hearts', ['female', 'villain', 'proud'], {
    en: [
      'The Queen of Hearts',
      'She has one way of settling all difficulties, great or small. The King pardons everyone quietly afterwards.',
    ],
    zh: ['红心王后', '无论大事小事，她只有一种解决办法。事后国王总是悄悄赦免所有人。'],
    ja: ['ハートの女王', '事の大小を問わず、解決の仕方は一つだけ。あとで王がそっと全員を許している。'],
  }),
  person('anne-anne', 'Anne Shirley', ['female', 'clever', 'kind', 'proud'], {
    en: [
      'Anne Shirley',
      'Anne with an e. She renames lakes and avenues, dyes her hair green by mistake, and never makes the same mistake twice.',
    ],
    zh: ['安妮·雪莉', '她的名字拼写末尾要带一个 e。她给湖和林荫道重新取名，误把头发染成绿色，但同样的错从不犯第二次。'],
    ja: [
      'アン・シャーリー',
      '綴りの最後にeのつくアン。湖や並木道に名前をつけ、髪を誤って緑に染めるが、同じ失敗は二度しない。',
    ],
  }),
  person('anne-marilla', 'Marilla Cuthbert', ['female', 'kind', 'proud'], {
    en: [
      'Marilla Cuthbert',
      'Thin, upright and sparing of praise. She has a sense of humour, and has kept it locked in a drawer for years.',
    ],
    zh: ['玛丽拉', '瘦削、正直，吝于夸奖。她其实很有幽默感，只是多年来锁在抽屉里。'],
    ja: ['マリラ・カスバート', '痩せて背筋が伸び、めったに人を褒めない。ユーモアの心は、長年引き出しにしまってある。'],
  }),
  person('anne-matthew', 'Matthew Cuthbert', ['male', 'kind'], {
    en: [
      'Matthew Cuthbert',
      'Shy of all women but two. He goes into a shop to buy puffed sleeves, and comes out with a rake and twenty pounds of sugar.',
    ],
    zh: ['马修', '除了两个女子，见到女性就害羞。他进店想买泡泡袖衣料，出来时却拿着耙子和二十磅糖。'],
    ja: [
      'マシュウ・カスバート',
      '二人を除くすべての女性に内気な男。ふくらんだ袖の服を買いに店へ入り、熊手と二十ポンドの砂糖を持って出てくる。',
    ],
  }),
  person('holmes-holmes', 'Sherlock Holmes', ['male', 'clever', 'proud'], {
    en: [
      'Sherlock Holmes',
      'The first consulting detective. He can tell tobacco ash of one hundred and forty kinds apart, and is unsure whether the sun moves.',
    ],
    zh: ['夏洛克·福尔摩斯', '世上第一位咨询侦探。能分辨一百四十种烟灰，却不清楚地球是否绕着太阳转。'],
    ja: [
      'シャーロック・ホームズ',
      '世界初の諮問探偵。百四十種の煙草の灰を見分けるが、地球が太陽を回っていることには関心がない。',
    ],
    ru: ['Шерлок Холмс', 'Первый в мире сыщик-консультант. Различает пепел ста сорока сортов табака.'],
  }),
  person('holmes-watson', 'John H. Watson', ['male', 'loyal', 'brave', 'kind'], {
    en: [
      'Dr Watson',
      'Army surgeon, writer, and the one fixed point in a changing age. He sees everything that Holmes sees, and is astonished.',
    ],
    zh: ['华生医生', '军医、作家，变化时代中不变的一点。福尔摩斯看到的，他都看到了，然后大吃一惊。'],
    ja: ['ワトソン医師', '元軍医で書き手、移りゆく時代の動かぬ一点。ホームズと同じものを見て、そして驚く。'],
  }),
  person('holmes-adler', 'Irene Adler', ['female', 'clever', 'mysterious', 'brave'], {
    en: [
      'Irene Adler',
      'A contralto from New Jersey who bids the detective good night in a man’s coat, and leaves a photograph in place of the one he came for.',
    ],
    zh: ['艾琳·艾德勒', '来自新泽西的女低音歌手。她身穿男装向侦探道了晚安，又用一张照片换走了他要找的那张。'],
    ja: [
      'アイリーン・アドラー',
      'ニュージャージー生まれのアルト歌手。男装で探偵に「おやすみなさい」と声をかけ、目当ての写真の代わりに別の一枚を残していく。',
    ],
  }),
]
