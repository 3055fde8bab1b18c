import { each, HEIGHT, legible, n, type Palette, rect, WIDTH } from './picture.ts'

const SERIF = `font-family="'Noto Serif CJK JP','Noto Serif JP','Hiragino Mincho ProN','Yu Mincho','Noto Serif','Noto Serif Thai','DejaVu Serif',Georgia,serif"`

/** Marks that stand on their side in vertical lines, and small kana that move to the upper right. */
const TURNED = /[ー～〜（）「」]/
const SMALL = /[ぁぃぅぇぉっゃゅょァィゥェォッャュョ、。]/

/** How large the second line of a label is beside the first. */
const SECOND = 0.82

export const isVertical = (text: string) => /[\u3040-\u30ff\u3400-\u9fff]/.test(text)

/** A paper label with the title in one or two vertical lines, as pasted on the covers of old Japanese books. */
export function verticalLabel(title: string, ink: Palette, left: boolean): string {
  const columns = title.includes(' ') ? title.split(' ') : [title]
  const longest = Math.max(...columns.map((column, index) => signsOf(column).length * (index === 0 ? 1 : SECOND)))
  const size = Math.min(58, 470 / longest)
  const [wide, tall] = [size * (columns.length * 1.25 + 0.6), longest * size * 1.12 + size * 0.9]
  const [x, y] = [left ? 44 : WIDTH - 44 - wide, 52]
  const text = columns
    .map((column, index) => {
      const centre = x + wide / 2 + ((columns.length - 1) / 2 - index) * size * 1.25
      const scale = index === 0 ? size : size * SECOND
      return vertical(column, centre, y + size * 0.45, scale, ink.near)
    })
    .join('')
  return (
    rect(x + 5, y + 6, wide, tall, '#000', 'opacity="0.2"') +
    rect(x, y, wide, tall, ink.paper) +
    rect(x + 6, y + 6, wide - 12, tall - 12, 'none', `stroke="${ink.near}" stroke-width="1.4"`) +
    text
  )
}

/** A paper plate across the cover with the title in centred lines, at the head or, when `low`, at the foot. */
export function plate(title: string, ink: Palette, low: boolean): string {
  const lines = wrapped(title, 15)
  const size = Math.min(56, 720 / Math.max(...lines.map((line) => line.length)))
  const tall = lines.length * size * 1.22 + 56
  const top = low ? HEIGHT - 52 - tall : 52
  const text = each(lines.length, (index) =>
    centred(lines[index] ?? '', WIDTH / 2, top + 28 + size * (0.86 + index * 1.22), size, ink.near),
  )
  return (
    rect(49, top + 6, 510, tall, '#000', 'opacity="0.2"') +
    rect(45, top, 510, tall, ink.paper) +
    rect(53, top + 8, 494, tall - 16, 'none', `stroke="${ink.near}" stroke-width="1.4"`) +
    rect(57, top + 12, 486, tall - 24, 'none', `stroke="${ink.accent}" stroke-width="0.8"`) +
    text
  )
}

/** The paper band around the foot of a manga, with its title in Latin letters. */
export function band(text: string, ink: Palette): string {
  const [top, size] = [HEIGHT - 118, Math.min(24, 840 / text.length)]
  const paper = legible(ink.accent, ink)
  return (
    rect(0, top, WIDTH, 118, ink.accent) +
    rect(0, top + 7, WIDTH, 1.6, paper) +
    rect(0, HEIGHT - 9, WIDTH, 1.6, paper) +
    centred(text, WIDTH / 2, top + 54, size, paper) +
    each(9, (index) =>
      rect(
        WIDTH / 2 - 4 + (index - 4) * 22,
        top + 80,
        8,
        8,
        paper,
        `transform="rotate(45 ${WIDTH / 2 + (index - 4) * 22} ${top + 84})" opacity="${n(1 - Math.abs(index - 4) / 5)}"`,
      ),
    )
  )
}

/** One line of text around `x`, its baseline at `y`. */
export const centred = (text: string, x: number, y: number, size: number, fill: string, more = '') =>
  `<text x="${n(x)}" y="${n(y)}" font-size="${n(size)}" fill="${fill}" text-anchor="middle" ${SERIF} ${more}>${escaped(text)}</text>`

function vertical(text: string, x: number, top: number, size: number, fill: string): string {
  return signsOf(text)
    .map((sign, index) => {
      const y = top + index * size * 1.12 + size * 0.88
      if (TURNED.test(sign))
        return centred(sign, x, y, size, fill, `transform="rotate(90 ${n(x)} ${n(y - size * 0.36)})"`)
      return SMALL.test(sign)
        ? centred(sign, x + size * 0.1, y - size * 0.1, size, fill)
        : centred(sign, x, y, size, fill)
    })
    .join('')
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The signs of a text as readers count them, with their accents. */
export const signsOf = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
