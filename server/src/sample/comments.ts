import type { SampleMedia } from './types.ts'

export type Mood = 'delighted' | 'pleased' | 'doubtful'

/** What raters say: true of any work of its kind, so that it can stand under each of them. */
export const COMMENTS: Record<Mood, Record<SampleMedia['mediaType'] | 'any', string[]>> = {
  delighted: {
    any: [
      'I was sorry when it ended, and started again from the beginning.',
      'Went in expecting little and missed my stop on the train.',
      '看完之后很久都不想说话。',
      '强烈推荐，尤其适合下雨天。',
      '何度でも戻ってきたくなる作品。',
      '最後の場面が忘れられない。',
      'Un petit miracle de justesse, du début à la fin.',
      'Пересматриваю каждый год и каждый раз нахожу что-то новое.',
      'Quá hay, tôi đã giới thiệu cho cả nhà.',
      'ประทับใจมากจนต้องเล่าให้เพื่อนฟัง',
    ],
    NOVEL: [
      'Not a sentence too many. I have copied out half a page of it by hand.',
      'I first read this at school and understood nothing.\n\nTwenty years later every page seems to have been written yesterday, for me.',
      '年轻时读的是故事，如今读的是自己。\n\n译文也很见功力，语气拿捏得恰到好处。',
      '声に出して読むと、文章の音楽がよくわかる。',
      'Chaque relecture est une autre lecture.',
      'Книга, к которой возвращаешься в разном возрасте.',
    ],
    MANGA: [
      'The silent pages say the most. Look at the hands.',
      '分镜大胆，留白更大胆。',
      '見開きの使い方に息をのんだ。',
      'Le trait est superbe, et l’encrage encore plus.',
    ],
    ANIME: [
      'The music alone is worth the evening.',
      '作画与配乐都是顶级水准。',
      '音楽と間の取り方が素晴らしい。',
      'เพลงประกอบเพราะมาก ดูแล้วน้ำตาซึม',
    ],
  },
  pleased: {
    any: [
      'Takes its time, but the second half repays it.',
      'Good company for a long weekend.',
      '中段略慢，但结尾收得漂亮。',
      '人物写得有血有肉。',
      '期待以上でも以下でもないが、後味がよい。',
      '脇役がみな魅力的。',
      'Quelques longueurs, mais de très belles scènes.',
      'Немного затянуто, но оно того стоит.',
      'Nhịp hơi chậm nhưng nhân vật rất đáng nhớ.',
      'ดำเนินเรื่องช้าไปนิดแต่ตอนจบดี',
    ],
    NOVEL: [
      'The notes helped me more than I like to admit.',
      'A classic that is funnier than its reputation.',
      '注释很用心，初读者也不会迷路。',
      '古い言葉づかいに慣れれば、あとは一気に読める。',
    ],
    MANGA: [
      'Faithful where it matters and free where it can be.',
      '改编取舍得当，原著读者也能有新发现。',
      '原作を読んでから読むと、工夫の多さに驚く。',
    ],
    ANIME: [
      'Holds up well for its age.',
      '放在今天看依然不过时。',
      '季節の描写が丁寧。',
      'Une jolie surprise, à voir en version originale.',
    ],
  },
  doubtful: {
    any: [
      'I can see why others love it. I admired it from a distance.',
      'The opening promises more than the rest delivers.',
      '开头很好，后面有些散。',
      '可能是我期待太高了。',
      '題材は面白いが、少し急ぎすぎた印象。',
      '自分には合わなかった。',
      'Je suis resté à la porte.',
      'Ожидал большего.',
      'Ý tưởng hay nhưng chưa thuyết phục được tôi.',
      'ยังไม่ค่อยอินเท่าไร',
    ],
    NOVEL: [
      'Important, certainly. I was also glad to reach the last page.',
      '人物太多，记不住名字。',
      '登場人物の多さに途中で迷った。',
    ],
    MANGA: [
      'Pretty, though the lettering is hard on the eyes.',
      '画面漂亮，但节奏有点乱。',
      '絵は好みだが、話が駆け足。',
    ],
    ANIME: ['Two episodes of plot spread over a whole season.', '剧情有些拖沓。', '中盤がやや間延びしている。'],
  },
}
