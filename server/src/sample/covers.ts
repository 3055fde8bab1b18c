import sharp from 'sharp'
import { type Letters, lettersHere } from './fonts.ts'
import { band, centred, isVertical, plate, signsOf, verticalLabel } from './lettering.ts'
import {
  type Brush,
  brushOf,
  circle,
  each,
  HEIGHT,
  legible,
  mix,
  n,
  PALETTES,
  rect,
  type Scene,
  WIDTH,
} from './picture.ts'
import * as nature from './scenesOfNature.ts'
import * as places from './scenesOfPlaces.ts'
import * as rooms from './scenesOfRooms.ts'
import * as sea from './scenesOfTheSea.ts'
import { hash, pick, seeded } from './seed.ts'
import type { SampleCharacter, SampleMedia } from './types.ts'

type Art = [scene: Scene, palette: keyof typeof PALETTES]

/** The picture that suits each work; a work without a line here gets one by its key. */
const ART: Record<string, Art> = {
  'novel:kokoro': [rooms.circles, 'snow'],
  'novel:i-am-a-cat': [rooms.cat, 'gold'],
  'novel:botchan': [sea.waves, 'snow'],
  'novel:rashomon': [places.gate, 'rain'],
  'novel:galactic-railroad': [nature.galaxy, 'night'],
  'novel:human-chair': [rooms.chair, 'matcha'],
  'novel:genji': [rooms.scroll, 'plum'],
  'novel:takekurabe': [rooms.moonGate, 'snow'],
  'novel:run-melos': [nature.rays, 'vermilion'],
  'novel:no-longer-human': [rooms.circles, 'blood'],
  'novel:journey-to-the-west': [places.heaven, 'gold'],
  'novel:red-chamber': [rooms.moonGate, 'blood'],
  'novel:three-kingdoms': [places.banners, 'vermilion'],
  'novel:water-margin': [nature.reeds, 'jade'],
  'novel:strange-tales': [nature.mountains, 'dusk'],
  'novel:ah-q': [nature.mountains, 'matcha'],
  'novel:kieu': [nature.reeds, 'plum'],
  'novel:phra-aphai-mani': [sea.waves, 'deep'],
  'novel:dracula': [places.castle, 'blood'],
  'novel:frankenstein': [places.storm, 'night'],
  'novel:alice': [rooms.tunnel, 'jade'],
  'novel:monte-cristo': [sea.island, 'indigo'],
  'novel:twenty-thousand-leagues': [sea.depths, 'deep'],
  'novel:les-miserables': [places.town, 'dusk'],
  'novel:anne': [nature.hills, 'matcha'],
  'novel:sherlock-holmes': [places.town, 'rain'],
  'novel:crime-and-punishment': [places.town, 'gold'],
  'manga:rashomon': [places.gate, 'blood'],
  'manga:i-am-a-cat': [rooms.cat, 'sakura'],
  'manga:galactic-railroad': [nature.galaxy, 'plum'],
  'manga:human-chair': [rooms.chair, 'plum'],
  'manga:genji': [rooms.scroll, 'sakura'],
  'manga:run-melos': [nature.rays, 'gold'],
  'manga:journey-to-the-west': [places.heaven, 'vermilion'],
  'manga:strange-tales': [rooms.moonGate, 'night'],
  'manga:dracula': [places.castle, 'dusk'],
  'manga:alice': [rooms.tunnel, 'plum'],
  'manga:monte-cristo': [sea.island, 'dusk'],
  'manga:twenty-thousand-leagues': [sea.depths, 'indigo'],
}

const SCENES = [...Object.values(nature), ...Object.values(sea), ...Object.values(places), ...Object.values(rooms)]
const PALETTE_NAMES = Object.keys(PALETTES) as (keyof typeof PALETTES)[]

/** The cover of a work as an SVG of 600 × 840: a scene, and the original title on a label. The same work, the same text. */
export function coverSvg(work: Pick<SampleMedia, 'key' | 'mediaType' | 'originalTitle' | 'translations'>): string {
  const random = seeded(`art ${work.key}`)
  const [scene, name] = ART[work.key] ?? [pick(random, SCENES), pick(random, PALETTE_NAMES)]
  const brush = brushOf(PALETTES[name], work.key)
  const english = work.translations.en?.title ?? ''
  const title = work.originalTitle ?? english
  const low = scene === sea.island
  const original = isVertical(title)
    ? verticalLabel(title, brush.ink, hash(work.key) % 3 === 0)
    : plate(title.split('; ')[0] ?? title, brush.ink, low)
  const foot = work.mediaType === 'MANGA' ? band(english, brush.ink) : ''
  return framed(WIDTH, HEIGHT, scene(brush) + lettered(original + foot, plate(english, brush.ink, low)) + spine)
}

/** The portrait of a character as a square SVG of 600 × 600: a crest of petals around the first sign of the name. */
export function portraitSvg(character: Pick<SampleCharacter, 'key' | 'originalName' | 'translations'>): string {
  const { key, originalName, translations } = character
  const english = translations.en?.name ?? ''
  const random = seeded(`portrait ${key}`)
  const ink = PALETTES[pick(random, PALETTE_NAMES)]
  const brush = { ink, random }
  const ground = pick(random, [asanoha, scales, linked, beams, stripes])
  return framed(
    600,
    600,
    backdrop(brush) +
      ground(brush) +
      crest(brush) +
      lettered(initial(originalName ?? english, ink), initial(english, ink)),
  )
}

/**
 * The picture as a WebP of its own size, and a thumbnail 160 pixels wide. Where the fonts of this machine cannot draw
 * the original letters the English ones are shown, and where they cannot draw those, the picture alone.
 */
export async function coverImage(svg: string): Promise<{ image: Buffer; thumbnail: Buffer }> {
  const drawn = await sharp(Buffer.from(withLetters(svg, await lettersHere())))
    .flatten()
    .png()
    .toBuffer()
  const [image, thumbnail] = await Promise.all([
    sharp(drawn).webp({ quality: 80 }).toBuffer(),
    sharp(drawn).resize({ width: 160 }).webp({ quality: 80 }).toBuffer(),
  ])
  return { image, thumbnail }
}

/** Both letterings of a picture, the original one shown. */
const lettered = (original: string, english: string) =>
  `<g id="original" display="inline">${original}</g><g id="english" display="none">${english}</g>`

const withLetters = (svg: string, letters: Letters) =>
  svg
    .replace('id="original" display="inline"', `id="original" display="${letters === 'original' ? 'inline' : 'none'}"`)
    .replace('id="english" display="none"', `id="english" display="${letters === 'english' ? 'inline' : 'none'}"`)

const framed = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `<defs><filter id="grain" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="0.8" numOctaves="2" seed="7"/>` +
  `<feColorMatrix values="0 0 0 0 0.5  0 0 0 0 0.45  0 0 0 0 0.4  0 0 0 1.1 -0.5"/></filter></defs>` +
  `${content}<rect width="${width}" height="${height}" filter="url(#grain)" opacity="0.28"/></svg>`

/** The fold along the left edge of a bound book. */
const spine =
  rect(0, 0, 16, HEIGHT, '#000', 'opacity="0.14"') +
  rect(16, 0, 2, HEIGHT, '#fff', 'opacity="0.2"') +
  rect(18, 0, 5, HEIGHT, '#000', 'opacity="0.07"')

const backdrop = ({ ink }: Brush) =>
  `<defs><radialGradient id="glow" cx="0.5" cy="0.45" r="0.8"><stop offset="0" stop-color="${ink.far}"/><stop offset="1" stop-color="${ink.near}"/></radialGradient></defs>` +
  rect(0, 0, 600, 600, 'url(#glow)')

const fine = (ink: Brush['ink']) => `fill="none" stroke="${ink.disc}" stroke-width="1.6" opacity="0.34"`

/** Asanoha, the hemp leaf. */
const asanoha = ({ ink }: Brush) =>
  each(9, (row) =>
    each(8, (column) => {
      const [x, y] = [column * 87 + (row % 2 ? 43.5 : 0), row * 75]
      const arms = each(6, (at) => {
        const [turn, next] = [(at * Math.PI) / 3 + Math.PI / 6, ((at + 0.5) * Math.PI) / 3 + Math.PI / 6]
        const [ax, ay] = [x + Math.cos(turn) * 50, y + Math.sin(turn) * 50]
        const [bx, by] = [x + Math.cos(next) * 29, y + Math.sin(next) * 29]
        const [cx, cy] = [x + Math.cos(turn + Math.PI / 3) * 50, y + Math.sin(turn + Math.PI / 3) * 50]
        return `M${n(x)} ${n(y)}L${n(ax)} ${n(ay)}L${n(bx)} ${n(by)}L${n(cx)} ${n(cy)}M${n(x)} ${n(y)}L${n(bx)} ${n(by)}`
      })
      return `<path d="${arms}" ${fine(ink)}/>`
    }),
  )

const scales = ({ ink }: Brush) =>
  each(14, (row) =>
    each(9, (column) => {
      const [x, y] = [column * 80 + (row % 2 ? 40 : 0), row * 46]
      return [40, 29, 18, 7]
        .map((radius, ring) =>
          circle(
            x,
            y,
            radius,
            ring % 2 ? ink.mid : mix(ink.mid, ink.near, 0.6),
            `stroke="${ink.disc}" stroke-width="0.8" stroke-opacity="0.3"`,
          ),
        )
        .join('')
    }),
  )

/** Shippō, linked rings. */
const linked = ({ ink }: Brush) =>
  each(11, (row) => each(11, (column) => `<circle cx="${column * 60}" cy="${row * 60}" r="42.4" ${fine(ink)}/>`))

const beams = ({ ink }: Brush) =>
  each(18, (index) => {
    const [from, to] = [(index * Math.PI) / 9, ((index + 0.5) * Math.PI) / 9]
    return `<path d="M300 300L${n(300 + Math.cos(from) * 520)} ${n(300 + Math.sin(from) * 520)}L${n(300 + Math.cos(to) * 520)} ${n(300 + Math.sin(to) * 520)}Z" fill="${ink.accent}" opacity="0.3"/>`
  })

const stripes = ({ ink, random }: Brush) =>
  each(24, (index) =>
    rect(
      index * 34 - 100,
      -150,
      4 + random() * 15,
      900,
      index % 3 ? ink.mid : ink.accent,
      'opacity="0.5" transform="rotate(18 300 300)"',
    ),
  )

/** Two rings of petals in the manner of a family crest; their number and shape are the character's own. */
function crest({ ink, random }: Brush): string {
  const count = pick(random, [5, 6, 8, 12, 16])
  const wide = (Math.PI * 196) / count
  const shape = pick(random, [
    `M0 -96C${n(wide)} -130 ${n(wide * 0.9)} -226 0 -240C${n(-wide * 0.9)} -226 ${n(-wide)} -130 0 -96Z`,
    `M0 -90L${n(wide * 0.8)} -170L0 -246L${n(-wide * 0.8)} -170Z`,
    `M${n(-wide * 0.3)} -90L${n(-wide * 0.85)} -214Q${n(-wide * 0.4)} -252 0 -222Q${n(wide * 0.4)} -252 ${n(wide * 0.85)} -214L${n(wide * 0.3)} -90Z`,
  ])
  const petals = (fill: string, shift: number, scale: number) =>
    each(
      count,
      (index) =>
        `<path d="${shape}" transform="translate(300 300) rotate(${n(((index + shift) * 360) / count)}) scale(${scale})" fill="${fill}" stroke="${ink.near}" stroke-width="3"/>`,
    )
  return (
    circle(300, 300, 258, ink.near, 'opacity="0.55"') +
    petals(ink.accent, 0.5, 1) +
    petals(ink.paper, 0, 0.94) +
    circle(300, 300, 152, ink.near) +
    circle(300, 300, 143, ink.disc) +
    circle(300, 300, 132, 'none', `stroke="${legible(ink.disc, ink)}" stroke-width="2"`)
  )
}

const TITLES = /^(The|Count|Capitaine|Captain|Professor|Dr|Abbé|Queen of|Vương Thúy) /

function initial(name: string, ink: Brush['ink']): string {
  const [sign = ''] = signsOf(name.replace(TITLES, '').toUpperCase())
  const [size, y] = isVertical(sign) ? [168, 361] : [164, 358]
  return centred(sign, 300, y, size, legible(ink.disc, ink), 'font-weight="500"')
}
