import { person } from './person.ts'

export const charactersOfAsia = () => [
  person('journey-wukong', '孫悟空', ['male', 'non-human', 'trickster', 'rebellious', 'brave'], {
    en: [
      'Sun Wukong',
      'The Monkey King: seventy-two transformations, a staff that fits behind the ear, and a cloud that covers a hundred and eight thousand li in one somersault.\n\nHeaven gave him the title of Keeper of the Horses. He has not forgiven it.',
    ],
    zh: [
      '孙悟空',
      '美猴王：七十二般变化，一根能藏进耳朵的金箍棒，一个筋斗十万八千里。\n\n天庭封他做弼马温，这件事他至今没有原谅。',
    ],
    ja: [
      '孫悟空',
      '美猴王。七十二の変化の術と、耳にしまえる如意棒、ひと飛び十万八千里の筋斗雲を持つ。\n\n天界が与えた役目は馬の世話係。彼はそれをいまだに許していない。',
    ],
    vi: ['Tôn Ngộ Không', 'Mỹ Hầu Vương với bảy mươi hai phép biến hóa và cây gậy như ý.'],
    th: ['ซุนหงอคง', 'พญาวานรผู้แปลงกายได้เจ็ดสิบสองอย่างและมีกระบองวิเศษเป็นอาวุธ'],
  }),
  person('journey-tripitaka', '三藏法師', ['male', 'kind', 'scholar'], {
    en: [
      'Tripitaka',
      'A monk who weeps easily, trusts every stranger and never once turns back. Demons want to eat him, for his flesh grants long life.',
    ],
    zh: ['唐三藏', '动不动就落泪，见谁都信，却从未想过回头。妖怪都想吃他，因为他的肉能使人长生。'],
    ja: [
      '三蔵法師',
      'すぐに涙を流し、誰でも信じてしまうが、一度も引き返そうとはしない僧。その肉は長寿をもたらすと妖怪たちに狙われる。',
    ],
    th: ['พระถังซัมจั๋ง', 'พระภิกษุผู้ใจอ่อนและเชื่อคนง่าย แต่ไม่เคยคิดหันหลังกลับ'],
  }),
  person('journey-bajie', '豬八戒', ['male', 'non-human', 'trickster'], {
    en: [
      'Zhu Bajie',
      'Once a marshal of heaven, now a pig with a rake. At every setback he proposes to divide the luggage and go home to his wife.',
    ],
    zh: ['猪八戒', '前天蓬元帅，如今是扛着钉耙的猪。每逢挫折，他都提议分了行李，回高老庄找媳妇。'],
    ja: ['猪八戒', 'もとは天の元帥、今はまぐわを担ぐ豚。困難にあうたび、荷物を分けて妻のもとへ帰ろうと言い出す。'],
  }),
  person('journey-wujing', '沙悟淨', ['male', 'non-human', 'loyal'], {
    en: [
      'Sha Wujing',
      'A river ogre with a necklace of skulls who has become the calmest member of the party. He carries what has to be carried.',
    ],
    zh: ['沙悟净', '曾戴骷髅项链的河妖，如今是一行人中最沉稳的一个。该挑的担子，他就挑着。'],
    ja: ['沙悟浄', '髑髏の首飾りをかけた河の妖怪だったが、今では一行で最も落ち着いている。担ぐべきものを黙って担ぐ。'],
  }),
  person('chamber-baoyu', '賈寶玉', ['male', 'rebellious', 'kind', 'melancholic'], {
    en: [
      'Jia Baoyu',
      'Heir of the Rongguo house, born with a jade. He hates examinations, loves rouge, and says that girls are made of water and men of mud.',
    ],
    zh: ['贾宝玉', '荣国府的公子，衔玉而生。厌恶科举，爱吃胭脂，说女儿是水作的骨肉，男人是泥作的骨肉。'],
    ja: ['賈宝玉', '玉を含んで生まれた栄国邸の若君。科挙を嫌い、紅を好み、女は水で、男は泥でできていると言う。'],
  }),
  person('chamber-daiyu', '林黛玉', ['female', 'melancholic', 'clever', 'proud'], {
    en: [
      'Lin Daiyu',
      'A poet with a cough and a sharp tongue, who buries fallen petals because no one else will. She owes him, from another life, all her tears.',
    ],
    zh: ['林黛玉', '体弱多咳、言辞锋利的诗人。花落无人收，她便葬花。前世欠下的，她要用一生的眼泪来还。'],
    ja: ['林黛玉', '病弱で舌鋒鋭い詩人。誰も顧みない落花を葬る。前世の恩を、生涯の涙で返すさだめにある。'],
    ru: ['Линь Дайюй', 'Болезненная и острая на язык поэтесса, которая хоронит опавшие лепестки.'],
  }),
  person('chamber-baochai', '薛寶釵', ['female', 'clever', 'kind'], {
    en: [
      'Xue Baochai',
      'Even-tempered, well read and careful never to show it too much. She wears a golden locket that matches a jade.',
    ],
    zh: ['薛宝钗', '性情平和，博学而从不炫耀。她佩着一把金锁，恰与那块玉相配。'],
    ja: ['薛宝釵', '穏やかで博識、それをひけらかさない。宝玉の玉と対になる金の錠を身につけている。'],
  }),
  person('chamber-xifeng', '王熙鳳', ['female', 'clever', 'villain', 'proud'], {
    en: [
      'Wang Xifeng',
      'You hear her laugh before you see her. She runs the household of three hundred, its accounts, and several secrets.',
    ],
    zh: ['王熙凤', '未见其人，先闻其笑。她掌管三百口人的大家、账目，还有若干秘密。'],
    ja: ['王熙鳳', '姿より先に笑い声が届く。三百人の屋敷と帳簿、そしていくつもの秘密を取り仕切る。'],
  }),
  person('kingdoms-liubei', '劉備', ['male', 'kind', 'loyal'], {
    en: [
      'Liu Bei',
      'Sandal maker and distant kinsman of the emperor. Calls three times at a thatched cottage to ask a younger man for advice.',
    ],
    zh: ['刘备', '贩履织席，却是汉室远亲。为请教一个比自己年轻的人，三次登门草庐。'],
    ja: ['劉備', '草鞋を売りながらも漢室の血を引く男。年若い賢者の助言を求めて、草廬を三度訪ねる。'],
    th: ['เล่าปี่', 'เชื้อพระวงศ์ผู้ยากไร้ที่เคยทอเสื่อขาย และไปคำนับขงเบ้งถึงสามครั้ง'],
  }),
  person('kingdoms-guanyu', '關羽', ['male', 'brave', 'loyal', 'proud'], {
    en: [
      'Guan Yu',
      'Nine feet tall, red-faced, with a beard so fine that he keeps it in a bag. Rides a thousand li alone to return to his brother.',
    ],
    zh: ['关羽', '身长九尺，面如重枣，胡须美得要用纱囊盛着。为回到兄长身边，千里走单骑。'],
    ja: ['関羽', '身の丈九尺、赤い顔に、袋に収めるほど見事な髯。義兄のもとへ帰るため、ただ一騎で千里を行く。'],
    th: ['กวนอู', 'ขุนศึกหน้าแดงหนวดงาม ผู้ถือความสัตย์ยิ่งกว่าชีวิต'],
  }),
  person('kingdoms-zhugeliang', '諸葛亮', ['male', 'clever', 'loyal', 'scholar'], {
    en: [
      'Zhuge Liang',
      'Borrows the east wind, borrows arrows from the enemy, plays the zither on the wall of an empty city. The one thing he cannot borrow is time.',
    ],
    zh: ['诸葛亮', '借东风，借敌人的箭，在空城上抚琴。唯一借不到的，是时间。'],
    ja: ['諸葛亮', '東風を借り、敵から矢を借り、空の城で琴を弾く。ただ一つ借りられなかったのは時間である。'],
    vi: ['Gia Cát Lượng', 'Mượn gió đông, mượn tên của địch, chỉ không mượn được thời gian.'],
  }),
  person('kingdoms-caocao', '曹操', ['male', 'clever', 'villain', 'proud'], {
    en: [
      'Cao Cao',
      'An able minister in peace, a dangerous hero in disorder. Laughs at his own defeats, and writes excellent verse about wine.',
    ],
    zh: ['曹操', '治世之能臣，乱世之奸雄。败退途中仍能大笑，写起酒来诗也极好。'],
    ja: ['曹操', '治世の能臣、乱世の奸雄。敗走の途中でも笑い、酒を歌わせれば見事な詩を作る。'],
  }),
  person('margin-songjiang', '宋江', ['male', 'kind', 'loyal'], {
    en: [
      'Song Jiang',
      'A small, dark clerk whom strangers fall on their knees before: no one in need ever left him with empty hands.',
    ],
    zh: ['宋江', '矮小黝黑的押司，江湖好汉却纷纷下拜，因为有难相求的人从不空手而归。'],
    ja: [
      '宋江',
      '小柄で色黒の役人だが、見知らぬ豪傑たちが膝をつく。頼ってきた者を手ぶらで帰したことがないからである。',
    ],
  }),
  person('margin-luzhishen', '魯智深', ['male', 'brave', 'rebellious'], {
    en: [
      'Lu Zhishen',
      'The Flowery Monk, tattooed, drunk, and able to pull up a willow by the roots. He breaks every vow except that of helping people.',
    ],
    zh: ['鲁智深', '花和尚，一身刺青，嗜酒，能倒拔垂杨柳。清规戒律件件都破，唯独救人之心不破。'],
    ja: [
      '魯智深',
      '花和尚。刺青をまとい、酒を飲み、柳を根こそぎ引き抜く。戒律はみな破るが、人を助ける誓いだけは破らない。',
    ],
  }),
  person('strange-nie', '聶小倩', ['female', 'non-human', 'melancholic', 'kind'], {
    en: [
      'Nie Xiaoqian',
      'A ghost of eighteen, forced to lure travellers in a ruined temple. She warns the one man whom gold could not tempt.',
    ],
    zh: ['聂小倩', '十八岁的女鬼，被迫在荒寺里引诱旅人。唯有不为金子所动的那个人，她出言相告。'],
    ja: [
      '聶小倩',
      '荒れ寺で旅人を惑わすことを強いられた十八歳の幽霊。黄金に心を動かさなかった男にだけ、危険を告げる。',
    ],
  }),
  person('strange-yingning', '嬰寧', ['female', 'non-human', 'trickster'], {
    en: [
      'Yingning',
      'A fox’s daughter raised by a ghost, who laughs at everything: at flowers, at weddings, at suitors in trees.',
    ],
    zh: ['婴宁', '狐女所生，由鬼母养大。看见花笑，成亲也笑，看见求爱的人趴在树上更要笑。'],
    ja: ['嬰寧', '狐の子で、幽霊に育てられた娘。花を見ても、婚礼でも、木の上の求婚者を見ても笑ってやまない。'],
  }),
  person('ahq-ahq', '阿Q', ['male', 'proud'], {
    en: [
      'Ah Q',
      'Whoever beats him has, by his reckoning, beaten his own father. He signs his only document with a circle and regrets that it is not round.',
    ],
    zh: ['阿Q', '挨了打，他便想“儿子打老子”。一生只在一张纸上画过押，还懊悔那个圈没有画圆。'],
    ja: [
      '阿Q',
      '殴られれば「息子に殴られた」と思うことにする男。生涯ただ一度の署名で丸を描き、それがまん丸でなかったのを悔やむ。',
    ],
  }),
  person('kieu-kieu', 'Vương Thúy Kiều', ['female', 'clever', 'kind', 'melancholic'], {
    en: [
      'Thúy Kiều',
      'Poet, painter and player of the moon lute. Talent and fate, the poem begins, are apt to quarrel.',
    ],
    zh: ['王翠翘', '能诗善画，弹得一手好月琴。诗的开篇便说：才与命，往往相妨。'],
    ja: ['王翠翹', '詩と絵に長け、月琴を奏でる。才と命とは相争うものだと、詩は冒頭で歌う。'],
    vi: [
      'Vương Thúy Kiều',
      'Người con gái tài sắc vẹn toàn, giỏi cầm kỳ thi họa, mà số phận long đong.\n\nNàng hy sinh chữ tình để tròn chữ hiếu.',
    ],
  }),
  person('aphai-aphai', 'พระอภัยมณี', ['male', 'kind'], {
    en: [
      'Phra Aphai Mani',
      'A prince banished for having learned music. Whoever hears his flute falls asleep, or falls in love, or dies.',
    ],
    zh: ['帕阿派玛尼', '因学了音乐而被放逐的王子。听到他笛声的人，或沉睡，或坠入爱河，或死去。'],
    ja: [
      'プラ・アパイマニー',
      '音楽を学んだために国を追われた王子。その笛を聞いた者は眠り、恋に落ち、あるいは命を落とす。',
    ],
    th: ['พระอภัยมณี', 'เจ้าชายนักเป่าปี่ผู้ถูกเนรเทศ เสียงปี่ของพระองค์ทำให้ผู้ฟังหลับใหล หลงรัก หรือสิ้นใจได้'],
  }),
  person('aphai-mermaid', 'นางเงือก', ['female', 'non-human', 'kind', 'loyal'], {
    en: [
      'The mermaid',
      'She carries the prince across the sea on her back for many nights and bears him a son on the Isle of Wonder.',
    ],
    zh: ['人鱼', '她背着王子在海上游了许多个夜晚，后来在奇妙岛上为他生下一子。'],
    ja: ['人魚', '幾夜も王子を背に乗せて海を渡り、のちに不思議の島で彼の子を産む。'],
    th: ['นางเงือก', 'ผู้พาพระอภัยมณีหนีข้ามทะเล และให้กำเนิดสุดสาครที่เกาะแก้วพิสดาร'],
  }),
]
