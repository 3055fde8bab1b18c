import { person } from './person.ts'

export const charactersOfJapan = () => [
  person('kokoro-sensei', '先生', ['male', 'melancholic', 'mysterious', 'scholar'], {
    en: [
      'Sensei',
      'An educated man who does nothing and expects nothing of himself. He warns his young friend not to admire him, and means it.\n\nOnly his last letter tells why: what he did to K, what he never told his wife, and why he can no longer live with either.',
    ],
    zh: [
      '先生',
      '受过良好教育，却无所作为，对自己也不抱期望。他劝年轻的朋友不要敬仰自己，而且是真心话。\n\n直到最后一封信才说出缘由：他对 K 做过什么，向妻子隐瞒了什么，又为何再也无法承受。',
    ],
    ja: [
      '先生',
      '学問を修めながら世に出ず、自分に何も期待しない男。若い友に、自分を敬うなと本心から忠告する。\n\n最後の手紙だけが、Kに何をしたのか、妻に何を黙っていたのかを語る。',
    ],
  }),
  person('kokoro-watashi', '私', ['male', 'loyal'], {
    en: [
      'The student',
      'The narrator, young enough to believe that wisdom can be handed over. He gets what he asked for in an envelope.',
    ],
    zh: ['我', '叙述者，年轻得相信智慧可以由人交付。他所求的东西，最终装在信封里寄来。'],
    ja: ['私', '語り手の学生。知恵は人から手渡されるものと信じるほど若く、求めたものを一通の封筒で受け取る。'],
  }),
  person('kokoro-k', 'K', ['male', 'proud', 'scholar', 'melancholic'], {
    en: [
      'K',
      'Sensei’s friend, a priest’s son who tries to live by will alone. He confesses his love to the one person he should not have told.',
    ],
    zh: ['K', '先生的好友，僧人之子，想单凭意志生活。他把爱意告诉了最不该告诉的人。'],
    ja: [
      'K',
      '先生の友人で、寺に生まれた男。意志だけで生きようとしたが、最も打ち明けてはならない相手に恋を打ち明ける。',
    ],
  }),
  person('kokoro-ojosan', 'お嬢さん', ['female', 'kind'], {
    en: [
      'Shizu',
      'The landlady’s daughter, later Sensei’s wife. Two men decided her life without asking her, and neither ever explained.',
    ],
    zh: ['静', '房东的女儿，后来成为先生的妻子。两个男人未曾问过她便决定了她的一生，也从未向她解释。'],
    ja: ['静', '下宿のお嬢さんで、のちの先生の妻。二人の男が彼女に尋ねもせずにその人生を決め、誰も訳を話さなかった。'],
  }),
  person('cat-narrator', '吾輩', ['male', 'non-human', 'proud', 'scholar'], {
    en: [
      'The cat',
      'He has no name as yet, a high opinion of cats and a low one of rice cakes, ever since one of them stuck to his teeth.',
    ],
    zh: ['咱家（猫）', '至今没有名字，对猫评价很高，对年糕评价很低，自从年糕粘住他的牙以后便是如此。'],
    ja: ['吾輩', '名前はまだない。猫という種を高く評価し、歯にくっついて以来、餅を低く評価している。'],
  }),
  person('cat-kushami', '珍野苦沙弥', ['male', 'scholar'], {
    en: [
      'Kushami',
      'A schoolteacher who buys books in order to sleep on them. His name is a sneeze, and so is his temper.',
    ],
    zh: ['苦沙弥', '一位买书只为枕着睡觉的教师。名字像个喷嚏，脾气也是。'],
    ja: ['珍野苦沙弥', '本を買っては枕にして眠る英語教師。名前も癇癪も、くしゃみのようである。'],
  }),
  person('cat-meitei', '迷亭', ['male', 'trickster', 'clever'], {
    en: [
      'Meitei',
      'An aesthete who invents Western dishes to order and Greek authors to quote, and is never caught by the same person twice.',
    ],
    zh: ['迷亭', '一位美学家，随口编造西餐菜名和希腊作家，从不被同一个人识破两次。'],
    ja: [
      '迷亭',
      'ありもしない西洋料理を注文し、いもしないギリシャの作家を引用する美学者。同じ相手に二度は見破られない。',
    ],
  }),
  person('botchan-narrator', '坊っちゃん', ['male', 'rebellious', 'brave'], {
    en: [
      'Botchan',
      'Mathematics teacher, reckless by inheritance. Once jumped from the second floor of his school because somebody said he could not.',
    ],
    zh: ['哥儿', '数学教师，鲁莽是天生的。小时候有人说他不敢，他便从学校二楼跳了下去。'],
    ja: ['坊っちゃん', '親譲りの無鉄砲な数学教師。できまいと言われて、学校の二階から飛び降りたことがある。'],
  }),
  person('botchan-kiyo', '清', ['female', 'kind', 'loyal'], {
    en: [
      'Kiyo',
      'The old servant who loved him when nobody else did, and was sure that he would have a carriage one day.',
    ],
    zh: ['阿清', '老女仆。没有人疼他时，只有她疼他，还坚信他将来会坐上自家的马车。'],
    ja: ['清', '誰もが見放した坊っちゃんを可愛がり続けた老女中。いつか立派な車に乗る人になると信じていた。'],
  }),
  person('botchan-redshirt', '赤シャツ', ['male', 'clever', 'villain'], {
    en: [
      'Redshirt',
      'Head teacher, bachelor of arts, wears red flannel for his health the year round. Everything he says is reasonable, which is the trouble.',
    ],
    zh: ['红衬衫', '教务主任，文学士，为了健康终年穿红法兰绒衬衫。他说的话句句在理，麻烦就在这里。'],
    ja: [
      '赤シャツ',
      '教頭で文学士。健康のためと称して一年中赤いフランネルを着る。言うことがすべてもっともらしいのが曲者である。',
    ],
  }),
  person('rashomon-servant', '下人', ['male'], {
    en: [
      'The servant',
      'He has a pimple on his cheek, a sword at his side and four or five days without work behind him. By morning no one knows where he went.',
    ],
    zh: ['仆人', '脸上长着面疱，腰间佩刀，失业已有四五天。到了早晨，谁也不知道他去了哪里。'],
    ja: ['下人', '頬ににきびがあり、腰に太刀を差し、暇を出されて四、五日になる男。その行方は、誰も知らない。'],
  }),
  person('rashomon-woman', '老婆', ['female', 'mysterious'], {
    en: [
      'The old woman',
      'By torchlight she pulls hair from the dead to make wigs. She has a reason, and the reason is heard.',
    ],
    zh: ['老妇', '借着火光从死人头上拔头发做假发。她有她的理由，而那理由被人听了进去。'],
    ja: [
      '老婆',
      '火をともして死人の髪を抜き、鬘にしようとする。彼女には言い分があり、その言い分は聞き届けられてしまう。',
    ],
  }),
  person('railroad-giovanni', 'ジョバンニ', ['male', 'kind', 'melancholic'], {
    en: [
      'Giovanni',
      'A schoolboy who sets type after class because his father is away and his mother is ill. In his pocket is a green ticket that can go anywhere.',
    ],
    zh: ['乔万尼', '父亲远行、母亲卧病，放学后去印刷所拣字的少年。他的口袋里有一张绿色车票，可以去任何地方。'],
    ja: [
      'ジョバンニ',
      '父は帰らず母は病み、放課後に活版所で働く少年。ポケットには、どこまでも行ける緑色の切符が入っている。',
    ],
  }),
  person('railroad-campanella', 'カムパネルラ', ['male', 'kind', 'brave', 'mysterious'], {
    en: [
      'Campanella',
      'Giovanni’s friend, who knows the map of the sky. His jacket is wet, and he wonders whether his mother will forgive him.',
    ],
    zh: ['康帕内拉', '乔万尼的好友，熟悉星空的地图。他的上衣湿透了，他在想母亲会不会原谅自己。'],
    ja: ['カムパネルラ', '空の地図を知るジョバンニの友だち。上着は濡れており、母は許してくれるだろうかとつぶやく。'],
  }),
  person('railroad-birdcatcher', '鳥捕り', ['male', 'kind'], {
    en: [
      'The bird catcher',
      'He gathers herons on the riverbank of the Milky Way, presses them flat, and sells them. They taste like sweets.',
    ],
    zh: ['捕鸟人', '他在银河岸边捉鹭鸶，压平了拿去卖，味道像点心。'],
    ja: ['鳥捕り', '天の川の岸で鷺を捕まえ、押し葉のように平たくして売る男。それはお菓子のような味がする。'],
  }),
  person('chair-yoshiko', '佳子', ['female', 'clever'], {
    en: [
      'Yoshiko',
      'A novelist more famous than her diplomat husband. She answers letters every morning before work, seated in her favourite chair.',
    ],
    zh: ['佳子', '比外交官丈夫更有名的女作家。每天清晨动笔之前，她都坐在心爱的椅子上读信。'],
    ja: ['佳子', '外交官の夫をしのぐ名声を持つ作家。毎朝、仕事の前に気に入りの椅子に腰かけて手紙を読む。'],
  }),
  person('chair-maker', '椅子職人', ['male', 'mysterious', 'melancholic'], {
    en: [
      'The chair maker',
      'Plain, poor and very good with his hands. He wanted for once to be where beautiful things happen.',
    ],
    zh: ['椅匠', '相貌丑陋、家境贫寒，双手却极巧。他只想有一次置身于美好的事物之中。'],
    ja: ['椅子職人', '醜く貧しいが、腕だけは確かな男。一度でいいから、美しいものの傍にいたいと願った。'],
  }),
  person('genji-hikaru', '光源氏', ['male', 'clever', 'melancholic'], {
    en: [
      'Hikaru Genji',
      'The shining prince: poet, dancer, painter, exile and statesman. He forgets no one he has loved, which is both his merit and his trouble.\n\nWhat he did in his youth comes back to him when he is nearly fifty, in the face of a child.',
    ],
    zh: [
      '光源氏',
      '光彩照人的公子：能诗、善舞、工画，曾遭流放，也曾执掌朝政。凡爱过的人他从不忘记，这是他的长处，也是他的烦恼。\n\n年轻时的过错，在他年近半百时，借一个孩子的面容回到眼前。',
    ],
    ja: [
      '光源氏',
      '和歌も舞も絵もよくし、流離の日々を経て政の頂に立つ貴公子。一度愛した人を忘れないことが、美徳でもあり悩みの種でもある。\n\n若き日の過ちは、五十に近づいた頃、ひとりの幼子の顔となって返ってくる。',
    ],
  }),
  person('genji-murasaki', '紫の上', ['female', 'clever', 'kind'], {
    en: [
      'Lady Murasaki',
      'Taken in as a child because of a likeness, she becomes the person he cannot do without. In spring she is the garden’s mistress.',
    ],
    zh: ['紫之上', '幼年因容貌相似而被收养，后来成为他不可或缺之人。春日的庭园由她执掌。'],
    ja: ['紫の上', '面影が似ているために幼くして引き取られ、やがて源氏になくてはならぬ人となる。春の御殿の主。'],
  }),
  person('genji-fujitsubo', '藤壺', ['female', 'melancholic', 'mysterious'], {
    en: [
      'Fujitsubo',
      'The emperor’s young consort, who resembles Genji’s dead mother. She keeps one secret and takes vows because of it.',
    ],
    zh: ['藤壶', '天皇年轻的妃子，酷似源氏亡母。她守着一个秘密，并因此出家。'],
    ja: ['藤壺', '源氏の亡き母によく似た、帝の若い后。ひとつの秘密を守り、そのために出家する。'],
  }),
  person('genji-rokujo', '六条御息所', ['female', 'proud', 'scholar'], {
    en: [
      'The Rokujō Lady',
      'The most cultivated woman of the capital. Asleep, she smells poppy smoke in her own hair and understands where her jealousy has been.',
    ],
    zh: ['六条御息所', '京中最有教养的女子。醒来闻到自己发间的芥子香，她明白了自己的嫉妒去过哪里。'],
    ja: [
      '六条御息所',
      '都で最も教養高い貴婦人。目覚めて髪に移った芥子の香りに気づき、己の嫉妬がどこへ行っていたかを悟る。',
    ],
  }),
  person('takekurabe-midori', '美登利', ['female', 'proud', 'rebellious'], {
    en: [
      'Midori',
      'Fourteen, generous with money and quick to laugh, queen of the back streets. One autumn day her hair is put up, and she stops playing.',
    ],
    zh: ['美登利', '十四岁，出手大方，爱说爱笑，是小巷里的女王。一个秋日她梳起了发髻，从此不再玩耍。'],
    ja: ['美登利', '金離れがよく、よく笑う十四歳、横町の女王。ある秋の日に髪を島田に結い、それきり遊ばなくなる。'],
  }),
  person('takekurabe-nobuyuki', '信如', ['male', 'melancholic', 'scholar'], {
    en: [
      'Nobuyuki',
      'The priest’s serious son. When his sandal strap breaks in the rain, he does not dare to pick up the red silk thrown to him.',
    ],
    zh: ['信如', '寺中住持的儿子，性情严肃。雨中木屐带断了，他却不敢拾起抛来的红绸布。'],
    ja: ['信如', '寺の生まじめな息子。雨の中で下駄の鼻緒が切れても、投げられた紅い友禅を拾うことができない。'],
  }),
  person('melos-melos', 'メロス', ['male', 'brave', 'loyal'], {
    en: [
      'Melos',
      'A shepherd who knows nothing of politics but feels injustice more than most. He runs badly for one hour, and well for the rest of the day.',
    ],
    zh: ['梅洛斯', '不懂政治却格外憎恨不义的牧人。那一天，他只有一小时跑不动。'],
    ja: ['メロス', '政治はわからぬが、邪悪には人一倍敏感な羊飼い。その日、走れなくなったのは一度きりである。'],
  }),
  person('melos-selinuntius', 'セリヌンティウス', ['male', 'loyal', 'brave'], {
    en: [
      'Selinuntius',
      'A stonemason, woken at midnight and asked to risk his life. He nods and says nothing. He doubts once.',
    ],
    zh: ['塞利努提乌斯', '石匠，半夜被叫醒，有人请他以性命作保。他点点头，一言不发。他只怀疑过一次。'],
    ja: ['セリヌンティウス', '真夜中に呼び出され、命を賭けてくれと頼まれた石工。黙ってうなずき、一度だけ友を疑う。'],
  }),
  person('melos-dionysius', 'ディオニス', ['male', 'villain', 'melancholic'], {
    en: [
      'Dionysius',
      'A king with deep lines on his forehead, who would like peace, and kills because he cannot believe in it.',
    ],
    zh: ['狄俄尼斯', '眉间刻着深纹的国王。他渴望和平，却因为无法相信而杀人。'],
    ja: ['ディオニス', '眉間に深い皺を刻む王。平和を望みながら、人を信じられぬために殺す。'],
  }),
  person('human-yozo', '大庭葉蔵', ['male', 'melancholic', 'mysterious'], {
    en: [
      'Yōzō Ōba',
      'The clown of the family, of the school, of the bar. He can make anyone laugh and cannot say what he wants for dinner.',
    ],
    zh: ['大庭叶藏', '家里的丑角，学校的丑角，酒馆的丑角。他能逗笑任何人，却说不出自己想吃什么。'],
    ja: ['大庭葉蔵', '家でも学校でも酒場でも道化を演じる男。誰をも笑わせるが、何が食べたいのかは言えない。'],
  }),
  person('human-horiki', '堀木正雄', ['male', 'trickster'], {
    en: [
      'Horiki',
      'A painter from the old town who teaches Yōzō about drink and pawnshops, and borrows five yen on the first day.',
    ],
    zh: ['堀木正雄', '出身下町的画学生，教会叶藏饮酒与典当，第一天便借走五日元。'],
    ja: ['堀木正雄', '葉蔵に酒と質屋を教えた下町生まれの画学生。会ったその日に五円を借りる。'],
  }),
]
