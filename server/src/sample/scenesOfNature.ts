import {
  circle,
  disc,
  each,
  HEIGHT,
  line,
  mix,
  n,
  path,
  rect,
  type Scene,
  sky,
  stars,
  through,
  WIDTH,
} from './picture.ts'

/** Ridges in mist, each nearer and darker. */
export const mountains: Scene = ({ ink, random }) => {
  const ridges = 6
  const ridge = (index: number) => {
    const share = index / (ridges - 1)
    const base = 360 + index * 78
    const [slow, quick, shift] = [60 + random() * 50, 150 + random() * 60, random() * 9]
    const points = Array.from({ length: 61 }, (_, at) => {
      const x = at * 10
      const peak = Math.abs(Math.sin(x / quick + shift)) ** 1.4 * (130 - share * 60)
      return [x, base - peak - Math.sin(x / slow + shift * 2) * 16 - random() * 7] as const
    })
    const colour = share < 0.5 ? mix(ink.far, ink.mid, share * 2) : mix(ink.mid, ink.near, share * 2 - 1)
    return (
      path(`${through(points)}L600 840L0 840Z`, colour) +
      rect(0, base + 20, WIDTH, 70, ink.sky[1], `opacity="${n(0.3 - share * 0.2)}"`)
    )
  }
  const birds = each(5, (index) => {
    const [x, y] = [120 + index * 34 + random() * 18, 210 + random() * 60]
    return line(`M${n(x)} ${n(y)}q8 -8 14 0q6 -8 14 0`, ink.near, 2.4)
  })
  return sky(ink) + disc(210, 270, 92, ink.disc) + each(ridges, ridge) + birds
}

/** The Milky Way, and a train of lit windows on an arc across it. */
export const galaxy: Scene = ({ ink, random }) => {
  const river = each(900, () => {
    const along = random()
    const off = (random() + random() + random() - 1.5) * 170
    const fill = random() < 0.2 ? ink.accent : ink.disc
    return circle(
      along * 700 - 50 + off * 0.5,
      660 - along * 620 + off,
      0.5 + random() ** 4 * 3,
      fill,
      `opacity="${n(0.25 + random() * 0.7)}"`,
    )
  })
  const carriage = (index: number) =>
    `<g transform="rotate(${n(-15 + index * 7.4)} 300 1500) translate(268 604)">` +
    rect(0, 0, 66, 40, ink.near, 'rx="7"') +
    each(4, (at) => rect(7 + at * 14, 10, 9, 13, '#ffdf8e', 'rx="2"')) +
    `${circle(14, 43, 6, ink.near)}${circle(52, 43, 6, ink.near)}</g>`
  const arc = line('M-40 700A900 900 0 0 1 640 700', ink.disc, 2, 'opacity="0.75"')
  const ties = line('M-40 708A900 900 0 0 1 640 708', ink.disc, 9, 'opacity="0.28" stroke-dasharray="2 13"')
  return (
    sky(ink) +
    path('M-80 700L560 -60L720 60L120 840Z', ink.accent, 'opacity="0.07"') +
    river +
    path('M0 720Q300 600 600 720L600 840L0 840Z', mix(ink.mid, ink.near, 0.6), 'opacity="0.9"') +
    arc +
    ties +
    each(5, carriage) +
    stars(random, 60, 400, '#ffffff')
  )
}

/** Reeds or bamboo before a great low moon. */
export const reeds: Scene = ({ ink, random }) => {
  const blade = (shade: string, reach: number) => {
    const x = random() * 680 - 40
    const lean = (random() - 0.35) * 190
    const top = HEIGHT - reach * (0.55 + random() * 0.45)
    const wide = 3 + random() * 6
    return path(
      `M${n(x)} 840Q${n(x + lean * 0.1)} ${n((HEIGHT + top) / 2)} ${n(x + lean)} ${n(top)}Q${n(x + lean * 0.1 + wide)} ${n((HEIGHT + top) / 2)} ${n(x + wide)} 840Z`,
      shade,
    )
  }
  const plume = () => {
    const [x, y] = [60 + random() * 480, 420 + random() * 160]
    return (
      line(`M${n(x)} 840Q${n(x)} ${n(y + 120)} ${n(x + 22)} ${n(y)}`, ink.near, 2.5) +
      each(13, (index) =>
        line(
          `M${n(x + 22 - index * 1.6)} ${n(y + index * 7)}q${n(14 + index)} -16 ${n(26 + index * 0.7)} -3`,
          mix(ink.paper, ink.accent, 0.35),
          2.2,
          'opacity="0.9"',
        ),
      )
    )
  }
  const water = each(22, () =>
    line(`M${n(random() * 560)} ${n(600 + random() * 200)}h${n(30 + random() * 120)}`, ink.disc, 1.6, 'opacity="0.35"'),
  )
  return (
    sky(ink) +
    disc(320, 360, 168, ink.disc) +
    path('M0 560Q170 528 320 556T600 545L600 840L0 840Z', ink.far) +
    water +
    each(34, () => blade(ink.mid, 430)) +
    each(6, plume) +
    each(40, () => blade(ink.near, 300))
  )
}

/** Ploughed hills and a house with pointed gables. */
export const hills: Scene = ({ ink, random }) => {
  const field = (index: number) => {
    const y = 470 + index * 84
    const colour = mix(ink.far, ink.near, index / 4.6)
    const tilt = index % 2 ? 70 : -60
    const furrows = each(9, (row) =>
      line(
        `M-20 ${y + 24 + row * 20 + tilt / 3}Q300 ${n(y - tilt + row * 26)} 620 ${y + 16 + row * 20}`,
        ink.paper,
        1.5,
        'opacity="0.3"',
      ),
    )
    return path(`M0 ${y + tilt / 3}Q300 ${y - tilt} 600 ${y + 10}L600 840L0 840Z`, colour) + furrows
  }
  const tree = () => {
    const [x, y, size] = [random() * 230 + 10, 500 + random() * 40, 12 + random() * 16]
    return rect(x - 2, y, 4, size * 1.6, ink.near) + circle(x, y, size, mix(ink.mid, ink.near, random()))
  }
  const house =
    path('M352 486l0 -74l52 -52l52 52l0 74Z', ink.paper) +
    path('M340 418l64 -66l64 66l-12 6l-52 -54l-52 54Z', ink.near) +
    path('M450 486l0 -56l40 -40l40 40l0 56Z', mix(ink.paper, ink.far, 0.25)) +
    path('M440 434l50 -52l50 52l-9 5l-41 -42l-41 42Z', ink.near) +
    [
      [380, 436],
      [414, 436],
      [480, 446],
    ]
      .map(([x = 0, y = 0]) => rect(x, y, 15, 24, ink.accent))
      .join('') +
    rect(470, 366, 12, 28, ink.near)
  return (
    sky(ink) + disc(178, 288, 86, ink.disc) + field(0) + each(12, tree) + house + each(4, (index) => field(index + 1))
  )
}

/** Rays behind a half-set sun, and a road straight to it. */
export const rays: Scene = ({ ink }) => {
  const beams = each(24, (index) => {
    const [from, to] = [Math.PI + (index * Math.PI) / 24, Math.PI + ((index + 0.5) * Math.PI) / 24]
    return path(
      `M300 520L${n(300 + Math.cos(from) * 900)} ${n(520 + Math.sin(from) * 900)}L${n(300 + Math.cos(to) * 900)} ${n(520 + Math.sin(to) * 900)}Z`,
      ink.paper,
      'opacity="0.34"',
    )
  })
  const column = (x: number, tall: number) =>
    rect(x, 520 - tall, 38, tall, ink.mid) +
    rect(x - 8, 506 - tall, 54, 14, ink.near) +
    rect(x - 8, 510, 54, 12, ink.near) +
    each(4, (index) => rect(x + 5 + index * 9, 524 - tall, 2.4, tall - 16, ink.near, 'opacity="0.45"'))
  const ground = rect(0, 520, WIDTH, 320, ink.near)
  const road =
    path('M286 520L314 520L520 840L80 840Z', ink.far) + path('M298 520l4 0l30 320l-64 0Z', ink.paper, 'opacity="0.28"')
  const strata = each(7, (index) =>
    rect(0, 532 + index * index * 6.5, WIDTH, 1.6 + index * 0.4, ink.accent, 'opacity="0.35"'),
  )
  return (
    sky(ink) +
    beams +
    circle(300, 520, 150, ink.disc) +
    ground +
    strata +
    road +
    column(34, 250) +
    column(116, 190) +
    column(446, 168) +
    column(528, 262)
  )
}
