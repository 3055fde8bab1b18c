import { circle, disc, each, line, mix, n, path, rect, type Scene, sky, stars, through, WIDTH } from './picture.ts'

/** Seigaiha, the old wave pattern, rising to a horizon below sun or moon. */
export const waves: Scene = ({ ink }) => {
  const rows = 13
  const scale = (x: number, y: number, size: number, share: number) =>
    [1, 0.78, 0.56, 0.34]
      .map((part, ring) =>
        circle(
          x,
          y,
          size * part,
          ring % 2 ? mix(ink.paper, ink.far, 0.15 + share * 0.3) : mix(ink.far, ink.near, share),
        ),
      )
      .join('')
  const sea = each(rows, (row) => {
    const share = row / (rows - 1)
    const size = 26 + share * 44
    const y = 440 + 400 * share ** 1.25 + size * 0.6
    const step = size * 1.9
    return each(Math.ceil(WIDTH / step) + 2, (column) => scale((column - (row % 2 ? 0.5 : 0)) * step, y, size, share))
  })
  return sky(ink) + disc(392, 250, 112, ink.disc) + sea
}

/** Light falling through the sea upon a submarine with one lit eye. */
export const depths: Scene = ({ ink, random }) => {
  const bands = each(9, (index) => {
    const y = 120 + index * 82
    const crest = Array.from(
      { length: 31 },
      (_, at) => [at * 20, y + Math.sin(at / 2.6 + index * 1.7) * (16 - index)] as const,
    )
    return path(`${through(crest)}L600 840L0 840Z`, mix(ink.far, ink.near, index / 8), 'opacity="0.82"')
  })
  const shafts = each(5, (index) =>
    path(`M${150 + index * 70} 100l46 0l${n(120 - index * 70)} 800l-180 0Z`, '#ffffff', 'opacity="0.06"'),
  )
  const bubbles = each(46, () =>
    circle(
      330 + (random() - 0.5) * 420,
      180 + random() * 560,
      1.5 + random() ** 3 * 11,
      'none',
      `stroke="${ink.disc}" stroke-width="1.3" opacity="0.5"`,
    ),
  )
  const ship =
    path('M96 640C170 586 400 580 500 636C400 694 170 694 96 640Z', ink.near) +
    path('M120 640C190 606 390 600 486 634', 'none', `stroke="${mix(ink.far, ink.paper, 0.25)}" stroke-width="3"`) +
    path('M262 594l12 -34l72 0l18 36Z', ink.near) +
    path('M96 640l-46 -38l14 38l-14 38Z', ink.near) +
    path('M420 630L640 560L640 720Z', '#ffe7a8', 'opacity="0.25"') +
    circle(420, 634, 24, ink.accent) +
    circle(420, 634, 15, '#fff1c4') +
    each(3, (index) => circle(220 + index * 54, 640, 10, '#ffe7a8'))
  return sky(ink) + disc(300, 74, 46, ink.disc) + bands + shafts + bubbles + ship
}

/** A rock in a moonlit sea, and the moon's road to it. */
export const island: Scene = ({ ink, random }) => {
  const road = each(64, (index) => {
    const y = 486 + index * 5.6
    const wide = 20 + index * 2.6 * random()
    return rect(
      300 - wide / 2 + (random() - 0.5) * 46,
      y,
      wide,
      2.4,
      ink.disc,
      `opacity="${n(0.8 - index / 110)}" rx="1.2"`,
    )
  })
  const swell = each(70, () =>
    line(`M${n(random() * 600)} ${n(500 + random() * 330)}q14 -5 28 0`, ink.far, 1.6, 'opacity="0.8"'),
  )
  return (
    sky(ink) +
    stars(random, 90, 430, ink.disc) +
    disc(300, 268, 104, ink.disc) +
    rect(0, 480, WIDTH, 360, ink.mid) +
    swell +
    road +
    path(
      'M118 566L160 500L178 452L206 436L214 398L236 398L240 372L264 372L268 398L300 398L306 420L336 426L344 398L366 398L372 436L402 470L428 512L470 566Q300 590 118 566Z',
      ink.near,
    ) +
    [
      [226, 424],
      [252, 396],
      [318, 452],
      [356, 424],
    ]
      .map(([x = 0, y = 0]) => rect(x, y, 6, 10, ink.accent))
      .join('') +
    path('M118 566Q300 590 470 566Q420 640 300 662Q170 640 118 566Z', ink.near, 'opacity="0.35"')
  )
}
