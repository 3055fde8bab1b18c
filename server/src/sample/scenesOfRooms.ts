import { circle, disc, each, HEIGHT, line, mix, n, path, rect, type Scene, sky, through, WIDTH } from './picture.ts'

/** A round garden window in a lattice wall, with a flowering branch and the moon. */
export const moonGate: Scene = ({ ink, random }) => {
  const lattice = each(16, (row) =>
    each(12, (column) => {
      const [x, y] = [column * 54 + (row % 2 ? 27 : 0), row * 56]
      return line(
        `M${x - 27} ${y}L${x} ${y - 28}L${x + 27} ${y}L${x} ${y + 28}ZM${x - 13} ${y}L${x} ${y - 14}L${x + 13} ${y}L${x} ${y + 14}Z`,
        ink.far,
        2.2,
        'opacity="0.55"',
      )
    }),
  )
  const twigs: [number, number][] = [
    [560, 690],
    [486, 610],
    [424, 560],
    [352, 520],
    [300, 462],
    [236, 436],
    [186, 398],
  ]
  const bough =
    line(through(twigs), ink.near, 10, 'stroke-linejoin="round"') +
    line('M424 560L400 470L352 404M352 520L268 540L206 528M486 610L502 520L470 456', ink.near, 5)
  const blossom = () => {
    const [tx, ty] = twigs[1 + Math.floor(random() * (twigs.length - 1))] ?? [300, 460]
    const [x, y, size] = [tx + (random() - 0.5) * 120, ty + (random() - 0.5) * 110, 7 + random() * 8]
    return (
      each(5, (at) =>
        circle(
          x + Math.cos(at * 1.257) * size * 0.7,
          y + Math.sin(at * 1.257) * size * 0.7,
          size * 0.62,
          random() < 0.6 ? ink.accent : ink.paper,
          'opacity="0.92"',
        ),
      ) + circle(x, y, size * 0.3, ink.disc)
    )
  }
  const falling = each(
    14,
    () =>
      `<ellipse cx="${n(130 + random() * 340)}" cy="${n(540 + random() * 160)}" rx="6" ry="3.4" fill="${ink.accent}" transform="rotate(${n(random() * 60)} 300 600)" opacity="0.8"/>`,
  )
  return (
    rect(0, 0, WIDTH, HEIGHT, mix(ink.mid, ink.near, 0.35)) +
    lattice +
    circle(300, 500, 262, ink.near) +
    circle(300, 500, 252, ink.accent) +
    `<defs><clipPath id="gate"><circle cx="300" cy="500" r="240"/></clipPath></defs><g clip-path="url(#gate)">${sky(ink)}` +
    disc(222, 400, 78, ink.disc) +
    path('M60 650Q200 590 330 640T560 620L560 760L60 760Z', ink.far, 'opacity="0.8"') +
    path('M60 690Q240 650 560 700L560 760L60 760Z', ink.mid) +
    `${bough}${each(52, blossom)}${falling}</g>`
  )
}

/** Gold clouds of a picture scroll, laid over linked rings, with roofs and petals between. */
export const scroll: Scene = ({ ink, random }) => {
  const rings = each(15, (row) =>
    each(11, (column) =>
      circle(column * 60, row * 60, 42, 'none', `stroke="${ink.far}" stroke-width="2" opacity="0.5"`),
    ),
  )
  const cloud = (x: number, y: number, wide: number, fill: string) =>
    rect(x, y, wide, 46, fill, 'rx="23"') +
    rect(x + wide * 0.18, y - 34, wide * 0.56, 46, fill, 'rx="23"') +
    rect(x + wide * 0.34, y + 32, wide * 0.6, 40, fill, 'rx="20"')
  const roof = (x: number, y: number) =>
    path(`M${x} ${y}l170 -74l170 74l-34 0l0 84l-272 0l0 -84Z`, ink.near) +
    each(6, (at) => rect(x + 52 + at * 41, y + 12, 30, 72, at % 2 ? ink.paper : ink.accent, 'opacity="0.9"')) +
    line(
      `M${x - 14} ${y + 2}Q${x + 90} ${y - 18} ${x + 170} ${y - 78}Q${x + 250} ${y - 18} ${x + 354} ${y + 2}`,
      ink.mid,
      9,
    )
  const petals = each(46, () => {
    const [x, y, turn] = [random() * WIDTH, random() * HEIGHT, random() * 180]
    return `<path d="M0 0q7 -9 14 0q-7 11 -14 0Z" transform="translate(${n(x)} ${n(y)}) rotate(${n(turn)})" fill="${random() < 0.5 ? ink.paper : ink.disc}" opacity="0.85"/>`
  })
  const gold = mix(ink.disc, '#e3bd5b', 0.6)
  return (
    sky(ink) +
    rings +
    cloud(-80, 96, 380, gold) +
    cloud(330, 214, 380, mix(gold, ink.paper, 0.3)) +
    roof(190, 420) +
    cloud(-120, 470, 420, gold) +
    roof(-60, 640) +
    cloud(250, 560, 460, mix(gold, ink.paper, 0.25)) +
    cloud(60, 734, 460, gold) +
    petals
  )
}

/** A tunnel of turning squares: down the hole. */
export const tunnel: Scene = ({ ink, random }) => {
  const squares = each(30, (index) => {
    const size = 1240 * 0.86 ** index
    const fill = index % 2 ? ink.paper : mix(ink.near, ink.far, index / 30)
    return rect(-size / 2, -size / 2, size, size, fill, `transform="translate(300 470) rotate(${n(index * 7.5)})"`)
  })
  const suits = [
    'M0 -9c-5 -9 -18 -6 -16 5c1 8 11 13 16 20c5 -7 15 -12 16 -20c2 -11 -11 -14 -16 -5Z',
    'M0 -18L14 0L0 18L-14 0Z',
  ]
  const cards = each(9, (index) => {
    const [turn, far] = [index * 0.78 + random() * 0.3, 130 + index * 34]
    const [x, y, size] = [300 + Math.cos(turn) * far * 0.86, 470 + Math.sin(turn) * far, 0.45 + index * 0.13]
    return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(random() * 140 - 70)}) scale(${n(size)})">${rect(-28, -40, 56, 80, '#fffdf6', `rx="7" stroke="${ink.near}" stroke-width="2"`)}${path(suits[index % 2] ?? '', index % 2 ? ink.near : ink.accent)}</g>`
  })
  return rect(0, 0, WIDTH, HEIGHT, ink.near) + squares + circle(300, 470, 13, ink.disc) + cards
}

/** A cat on the veranda, larger than the moon. */
export const cat: Scene = ({ ink, random }) => {
  const boards = each(7, (index) => rect(0, 690 + index * 22, WIDTH, 20, mix(ink.mid, ink.near, index / 7)))
  const screen =
    each(5, (index) => rect(index * 120 - 2, 0, 6, 690, ink.mid, 'opacity="0.5"')) +
    each(6, (index) => rect(0, index * 126, WIDTH, 5, ink.mid, 'opacity="0.4"'))
  const body =
    'M196 716C150 600 196 486 262 452C244 420 238 372 250 316L292 356Q322 346 352 356L394 316C406 372 400 420 382 452C448 486 484 600 444 716Z'
  const tail = line('M430 700C520 700 548 620 506 560C492 538 470 552 478 574', ink.near, 30)
  const face =
    [
      [292, 404],
      [352, 404],
    ]
      .map(
        ([x = 0, y = 0]) =>
          `<ellipse cx="${x}" cy="${y}" rx="15" ry="10" fill="${ink.disc}"/><ellipse cx="${x}" cy="${y}" rx="3.6" ry="9.4" fill="${ink.near}"/>`,
      )
      .join('') +
    path('M314 426l16 0l-8 9Z', ink.accent) +
    line('M270 428l-62 -10M270 436l-60 8M374 428l62 -10M374 436l60 8', ink.disc, 1.8, 'opacity="0.85"')
  const leaves = each(
    16,
    () =>
      `<path d="M0 0q12 -12 26 0q-14 10 -26 0Z" transform="translate(${n(random() * 600)} ${n(random() * 640)}) rotate(${n(random() * 180)})" fill="${ink.accent}" opacity="0.7"/>`,
  )
  return sky(ink) + screen + disc(322, 360, 190, ink.disc) + leaves + boards + tail + path(body, ink.near) + face
}

/** An armchair, and wallpaper that looks back. */
export const chair: Scene = ({ ink }) => {
  const paper = each(14, (row) =>
    each(9, (column) => {
      const [x, y] = [column * 76 + (row % 2 ? 38 : 0), row * 52 - 10]
      return (
        path(
          `M${x - 22} ${y}Q${x} ${y - 18} ${x + 22} ${y}Q${x} ${y + 18} ${x - 22} ${y}Z`,
          ink.far,
          'opacity="0.75"',
        ) +
        circle(x, y, 6.5, ink.near, 'opacity="0.65"') +
        circle(x + 2, y - 2, 1.8, ink.disc)
      )
    }),
  )
  const seat =
    path(
      'M150 700L150 520Q146 470 190 466L190 380Q196 262 300 262Q404 262 410 380L410 466Q454 470 450 520L450 700Z',
      ink.near,
    ) +
    path('M206 560L206 388Q212 284 300 284Q388 284 394 388L394 560Z', ink.accent) +
    path('M206 560L394 560L404 622L196 622Z', mix(ink.accent, ink.paper, 0.22)) +
    each(5, (row) =>
      each(row % 2 ? 3 : 4, (column) => circle(232 + column * 46 + (row % 2 ? 23 : 0), 336 + row * 44, 4.6, ink.near)),
    ) +
    [166, 414].map((x) => rect(x, 696, 22, 52, ink.near, 'rx="4"')).join('') +
    rect(150, 622, 300, 78, ink.near)
  const floor =
    rect(0, 716, WIDTH, 124, ink.mid) +
    each(6, (index) => rect(0, 716 + index * 21, WIDTH, 1.6, ink.near, 'opacity="0.5"'))
  return (
    sky(ink) +
    paper +
    path('M300 60L640 840L-40 840Z', ink.disc, 'opacity="0.2"') +
    floor +
    `<ellipse cx="300" cy="748" rx="210" ry="22" fill="${ink.near}" opacity="0.5"/>` +
    seat
  )
}

/** Overlapping circles, a cut, and a shadow: for books about the inside of a person. */
export const circles: Scene = ({ ink, random }) => {
  const grain = each(30, (index) => rect(0, index * 28, WIDTH, 1, ink.near, 'opacity="0.12"'))
  const ripple = (x: number, y: number, colour: string) =>
    each(15, (index) =>
      circle(x, y, 232 - index * 15.4, 'none', `stroke="${colour}" stroke-width="${n(1.2 + index * 0.28)}"`),
    )
  const lean = 30 + random() * 40
  return (
    sky(ink) +
    grain +
    circle(222, 510, 212, ink.accent) +
    circle(392, 440, 172, ink.near) +
    `<defs><clipPath id="both"><circle cx="222" cy="510" r="212"/></clipPath></defs><g clip-path="url(#both)">${circle(392, 440, 172, ink.disc)}${ripple(392, 440, ink.near)}</g>` +
    ripple(222, 510, mix(ink.accent, ink.paper, 0.3)) +
    line(`M${n(300 + lean)} 180L${n(300 - lean)} 800`, ink.paper, 3) +
    circle(470, 716, 40, ink.mid) +
    circle(470, 716, 22, ink.disc)
  )
}
