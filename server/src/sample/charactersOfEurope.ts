import { person } from './person.ts'

/** From French and Russian books. */
export const charactersOfEurope = () => [
  person('cristo-dantes', 'Edmond Dantès', ['male', 'clever', 'mysterious', 'proud'], {
    en: [
      'Edmond Dantès',
      'Sailor, prisoner number 34, and then an abbé, an English lord, a sailor from the Arabian Nights and a Count.\n\nHe believes that Providence is acting through him, until the bill is presented to a child.',
    ],
    zh: [
      '埃德蒙·唐泰斯',
      '水手，三十四号囚犯，后来是神甫、英国勋爵、《一千零一夜》里的水手，以及伯爵。\n\n他相信上天借他之手行事，直到代价落在一个孩子身上。',
    ],
    ja: [
      'エドモン・ダンテス',
      '船乗り、囚人三十四号、そして神父、英国貴族、千夜一夜の船乗り、伯爵。\n\n神の摂理が自分を通じて働くのだと信じていたが、その代償はひとりの子どもに及ぶ。',
    ],
    fr: [
      'Edmond Dantès',
      'Marin, prisonnier numéro 34, puis abbé, lord anglais et comte. Il se croit la main de la Providence.',
    ],
  }),
  person('cristo-mercedes', 'Mercédès Herrera', ['female', 'loyal', 'melancholic'], {
    en: [
      'Mercédès',
      'She waited eighteen months, and then was told that he was dead. Of all who meet the Count, she alone knows his voice.',
    ],
    zh: ['梅尔塞苔丝', '她等了十八个月，然后有人告诉她他已经死了。见过伯爵的人当中，只有她认出了那声音。'],
    ja: [
      'メルセデス',
      '十八か月待ち、彼は死んだと聞かされた。伯爵に会った人々の中で、その声に気づいたのは彼女だけだった。',
    ],
  }),
  person('cristo-faria', 'Abbé Faria', ['male', 'scholar', 'kind', 'clever'], {
    en: [
      'Abbé Faria',
      'He dug for years and came out in another cell. From fish bones and soot he makes pens and ink; from a sailor, a man of learning.',
    ],
    zh: ['法里亚神甫', '挖了多年，却挖进了另一间牢房。他用鱼骨和烟灰做笔墨，把一个水手教成了学者。'],
    ja: [
      'ファリア神父',
      '何年も掘り続け、隣の独房に出た。魚の骨と煤から筆とインクを、一人の船乗りから教養人を作り上げる。',
    ],
  }),
  person('leagues-nemo', 'Capitaine Nemo', ['male', 'mysterious', 'proud', 'scholar', 'melancholic'], {
    en: [
      'Captain Nemo',
      'His name is Latin for nobody. He has a library of twelve thousand books, an organ, a black flag, and a portrait he looks at when he thinks himself alone.',
    ],
    zh: [
      '尼摩船长',
      '他的名字在拉丁语里意为“无人”。他有一万两千册藏书、一架管风琴、一面黑旗，还有一幅独处时才凝望的肖像。',
    ],
    ja: [
      'ネモ船長',
      'その名はラテン語で「誰でもない」を意味する。一万二千冊の蔵書、オルガン、黒い旗、そして一人の時にだけ見つめる肖像を持つ。',
    ],
    fr: [
      'Le capitaine Nemo',
      'Son nom veut dire « personne ». Il possède douze mille livres, un orgue et un pavillon noir.',
    ],
    ru: ['Капитан Немо', 'Его имя по-латыни значит «никто». У него двенадцать тысяч книг, орган и чёрный флаг.'],
  }),
  person('leagues-aronnax', 'Pierre Aronnax', ['male', 'scholar'], {
    en: [
      'Professor Aronnax',
      'A naturalist from Paris, torn between his liberty and the best view of marine life that anyone has ever had.',
    ],
    zh: ['阿龙纳斯教授', '巴黎的博物学家，在自由与前所未有的海洋奇观之间左右为难。'],
    ja: ['アロナックス教授', 'パリの博物学者。自由と、かつて誰も見たことのない海の眺めとの間で引き裂かれる。'],
  }),
  person('leagues-ned', 'Ned Land', ['male', 'brave', 'rebellious'], {
    en: [
      'Ned Land',
      'King of harpooners, a Canadian who misses meat, sky and dry land, in that order. Makes a plan of escape in every chapter.',
    ],
    zh: ['尼德·兰', '捕鲸叉手之王，加拿大人，想念肉、天空与陆地，依次如此。每一章都有新的逃跑计划。'],
    ja: ['ネッド・ランド', 'カナダ生まれの銛打ちの王。肉と空と陸を、この順に恋しがる。章ごとに脱出の計画を立てる。'],
  }),
  person('miserables-valjean', 'Jean Valjean', ['male', 'kind', 'brave', 'mysterious'], {
    en: [
      'Jean Valjean',
      'Strong enough to lift a cart off a man, and known for it. Two candlesticks go with him through every name he takes.',
    ],
    zh: ['冉·阿让', '力气大得能抬起压人的马车，也因此被人认出。不管换过多少名字，他始终带着那两只烛台。'],
    ja: [
      'ジャン・ヴァルジャン',
      '人を下敷きにした荷車を持ち上げる怪力の持ち主で、それが正体を知らせる。名を変えるたび、二本の燭台だけは手放さない。',
    ],
    fr: [
      'Jean Valjean',
      'Assez fort pour soulever une charrette. Deux chandeliers le suivent sous tous les noms qu’il prend.',
    ],
  }),
  person('miserables-javert', 'Javert', ['male', 'proud', 'loyal'], {
    en: [
      'Javert',
      'Born in a prison, he chose the side of the door with the key. His whole world holds together until somebody spares him.',
    ],
    zh: ['沙威', '生在监狱里，他选择站在握着钥匙的那一边。他的世界一直完好，直到有人饶了他一命。'],
    ja: ['ジャヴェール', '監獄に生まれ、鍵を持つ側を選んだ男。情けをかけられるまで、彼の世界は崩れなかった。'],
  }),
  person('miserables-cosette', 'Cosette', ['female', 'kind'], {
    en: [
      'Cosette',
      'Sent for water in a dark wood at the age of eight, she finds the bucket suddenly light: a stranger has taken the handle.',
    ],
    zh: ['柯赛特', '八岁时被差去黑暗的林中打水，水桶忽然变轻了：一个陌生人提住了桶柄。'],
    ja: ['コゼット', '八歳で暗い森へ水汲みにやられ、ふと桶が軽くなる。見知らぬ人が取っ手を持ってくれたのだった。'],
  }),
  person('crime-raskolnikov', 'Родион Раскольников', ['male', 'proud', 'melancholic', 'clever'], {
    en: [
      'Rodion Raskolnikov',
      'Gives his last coins to a widow, and counts the 730 steps to the pawnbroker’s door. He cannot decide which of the two he is.',
    ],
    zh: ['拉斯柯尔尼科夫', '把最后的钱给了寡妇，又数着通往当铺老太婆家的七百三十步。他分不清哪一个才是自己。'],
    ja: [
      'ラスコーリニコフ',
      '最後の小銭を寡婦に与える一方で、質屋の老婆の戸口までの七百三十歩を数える。どちらが自分なのか、彼には決められない。',
    ],
    ru: [
      'Родион Раскольников',
      'Отдаёт последние деньги вдове и считает семьсот тридцать шагов до двери старухи-процентщицы.\n\nСам не знает, который из двух — он.',
    ],
  }),
  person('crime-sonya', 'Соня Мармеладова', ['female', 'kind', 'loyal', 'brave'], {
    en: [
      'Sonya Marmeladova',
      'She supports a family in the only way left to her, reads him the story of Lazarus by a candle end, and follows him to Siberia.',
    ],
    zh: ['索尼娅', '用仅剩的办法养活一家人，在残烛下为他朗读拉撒路的故事，又随他去了西伯利亚。'],
    ja: [
      'ソーニャ・マルメラードワ',
      '残された唯一の方法で家族を養い、燃えさしの蝋燭の下で彼にラザロの物語を読み、シベリアまでついて行く。',
    ],
    ru: [
      'Соня Мармеладова',
      'Кормит семью единственным оставшимся способом, читает ему о воскрешении Лазаря и идёт за ним в Сибирь.',
    ],
  }),
]
