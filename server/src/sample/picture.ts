import { seeded } from './seed.ts'

/** The colours of one picture, from the sky down to the ground in front. */
export type Palette = {
  sky: [top: string, bottom: string]
  disc: string
  far: string
  mid: string
  near: string
  accent: string
  paper: string
}

/** What a scene draws with: its colours, and numbers of its own. */
export type Brush = { ink: Palette; random: () => number }
export type Scene = (brush: Brush) => string

export const WIDTH = 600
export const HEIGHT = 840

export const PALETTES = {
  indigo: palette('#16264a #5b7fae', '#f4e4bc', '#3a5a8c #274472 #14213d', '#e07a5f', '#f6f0e0'),
  vermilion: palette('#f6dfb8 #eeb184', '#c8402f', '#d78a5f #a9532f #56271b', '#c8402f', '#fbf3e2'),
  matcha: palette('#f1f2dc #cbd9a8', '#e6a93c', '#a2ba84 #6b8f5e #33523c', '#b5523b', '#faf7e6'),
  plum: palette('#2a193b #8a5580', '#f2d7c9', '#6f456f #4b2a50 #231330', '#e3a857', '#f7eee6'),
  sakura: palette('#fdeee8 #f1bcbb', '#fff8f1', '#dc9aa2 #b9647a #64304b', '#3f6f6a', '#fff7f0'),
  rain: palette('#4d5a64 #a9b3b0', '#dfe3da', '#7c8a8d #4f5d63 #20292f', '#b8442f', '#efece2'),
  gold: palette('#faecc0 #e8c063', '#b5342b', '#d4a24c #9c6b2f #45291a', '#26547c', '#fcf5df'),
  night: palette('#070b1f #2f4080', '#f7f1d5', '#2a3878 #18214f #080c20', '#8fd3e8', '#f1efe4'),
  deep: palette('#c9e9e2 #1f6f83', '#fdf3d3', '#2a7f8e #17566b #08263a', '#f2a65a', '#f3f4e6'),
  blood: palette('#170a12 #8b2430', '#f0dcc0', '#5f1c2a #37111d #10050a', '#d9a441', '#f3e8d8'),
  snow: palette('#eef2f4 #b7c5d1', '#cf4a3c', '#a3b4c2 #6d8094 #2b3a4b', '#cf4a3c', '#faf9f4'),
  jade: palette('#e4f0e3 #8fc3aa', '#f8f1dc', '#68a691 #3b7a6a #183f3b', '#d96c4f', '#f8f5e6'),
  dusk: palette('#33395c #f0a679', '#fbe3b5', '#a4647a #6a4468 #2a2240', '#fbe3b5', '#f9efe2'),
} satisfies Record<string, Palette>

export const brushOf = (ink: Palette, key: string): Brush => ({ ink, random: seeded(key) })

/** A number as SVG writes it: at most one decimal. */
export const n = (value: number) => String(Math.round(value * 10) / 10)

/** `count` pieces of drawing, one for each index. */
export const each = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

export const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`

export const circle = (x: number, y: number, radius: number, fill: string, more = '') =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`

export const line = (d: string, stroke: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}" stroke-linecap="round" ${more}/>`

/** A closed or open run of straight lines through points. */
export const through = (points: (readonly [number, number])[]) =>
  `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}`

/** A colour between two others; `share` 0 gives the first. */
export function mix(from: string, to: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(from, at) * (1 - share) + channel(to, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The darker or the lighter of a palette's colours, whichever can be read on `ground`. */
export function legible(ground: string, ink: Palette): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 > 138 ? ink.near : ink.paper
}

/** The sky behind everything, as a gradient named `sky`. */
export const sky = ({ sky: [top, bottom] }: Palette) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/>` +
  `<stop offset="0.85" stop-color="${bottom}"/></linearGradient></defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`

/** A sun or moon with two soft rings of light. */
export const disc = (x: number, y: number, radius: number, fill: string) =>
  circle(x, y, radius * 1.5, fill, 'opacity="0.1"') +
  circle(x, y, radius * 1.22, fill, 'opacity="0.14"') +
  circle(x, y, radius, fill)

/** Small stars over the part of the page above `bottom`. */
export const stars = (random: () => number, count: number, bottom: number, fill: string) =>
  each(count, () =>
    circle(
      random() * WIDTH,
      random() * bottom,
      0.6 + random() ** 3 * 2.4,
      fill,
      `opacity="${n(0.3 + random() * 0.7)}"`,
    ),
  )

function palette(skies: string, discColour: string, lands: string, accent: string, paper: string): Palette {
  const [top = '', bottom = ''] = skies.split(' ')
  const [far = '', mid = '', near = ''] = lands.split(' ')
  return { sky: [top, bottom], disc: discColour, far, mid, near, accent, paper }
}
