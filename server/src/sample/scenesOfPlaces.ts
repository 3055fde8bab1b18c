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

/** A ruined gate in slanting rain. */
export const gate: Scene = ({ ink, random }) => {
  const roof = (y: number, half: number, tall: number) =>
    path(
      `M${300 - half} ${y + tall}Q${300 - half * 0.62} ${y + tall * 0.75} ${300 - half * 0.5} ${y}L${300 + half * 0.5} ${y}Q${300 + half * 0.62} ${y + tall * 0.75} ${300 + half} ${y + tall}Q300 ${y + tall * 0.72} ${300 - half} ${y + tall}Z`,
      ink.near,
    ) +
    each(15, (index) =>
      line(
        `M${n(300 + (index - 7) * half * 0.066)} ${y + 6}L${n(300 + (index - 7) * half * 0.115)} ${y + tall * 0.8}`,
        ink.far,
        1.2,
        'opacity="0.5"',
      ),
    )
  const pillars = [130, 214, 368, 452].map((x) => rect(x, 500, 20, 238, x === 368 ? ink.accent : ink.near)).join('')
  const storey = rect(160, 396, 280, 62, ink.mid) + each(9, (index) => rect(176 + index * 29, 404, 5, 50, ink.near))
  const shower = each(170, () => {
    const [x, y, long] = [random() * 760 - 60, random() * HEIGHT, 24 + random() * 60]
    return line(
      `M${n(x)} ${n(y)}l${n(-long * 0.24)} ${n(long)}`,
      ink.paper,
      0.8 + random(),
      `opacity="${n(0.2 + random() * 0.4)}"`,
    )
  })
  const crow = (x: number, y: number) =>
    path(`M${x} ${y}q16 -14 30 0q14 -14 32 -2q-18 2 -26 12q-4 6 -9 0q-8 -10 -27 -10Z`, ink.near)
  const steps = each(5, (index) =>
    rect(90 - index * 22, 738 + index * 20, 420 + index * 44, 21, mix(ink.mid, ink.near, index / 4)),
  )
  return (
    sky(ink) +
    circle(440, 190, 74, ink.disc, 'opacity="0.55"') +
    rect(0, 700, WIDTH, 140, ink.mid) +
    storey +
    roof(310, 250, 96) +
    pillars +
    roof(448, 290, 84) +
    steps +
    crow(96, 250) +
    crow(188, 196) +
    crow(70, 160) +
    shower
  )
}

/** Towers on a crag before a moon too large. */
export const castle: Scene = ({ ink, random }) => {
  const tower = (x: number, top: number, wide: number) =>
    rect(x, top, wide, 640 - top, ink.near) +
    path(`M${x - 7} ${top}L${x + wide / 2} ${top - wide * 1.9}L${x + wide + 7} ${top}Z`, ink.near) +
    rect(x + wide / 2 - 3.5, top + 26, 7, 18, ink.accent, 'rx="3.5"')
  const bat = () => {
    const [x, y, size] = [120 + random() * 330, 150 + random() * 220, 0.5 + random() * 0.8]
    return `<g transform="translate(${n(x)} ${n(y)}) scale(${n(size)})">${path('M0 0q-14 -18 -34 -10q10 4 8 14q10 -6 16 2q4 -6 10 6q6 -12 10 -6q6 -8 16 -2q-2 -10 8 -14q-20 -8 -34 10Z', ink.near)}</g>`
  }
  const crag = 'M0 840L0 742L70 716L120 640L168 618L196 560L420 560L452 612L500 634L540 706L600 736L600 840Z'
  const mist = each(6, (index) =>
    path(
      `M-40 ${690 + index * 26}Q150 ${660 + index * 26} 300 ${692 + index * 24}T640 ${684 + index * 26}L640 ${716 + index * 26}Q300 ${728 + index * 24} -40 ${716 + index * 26}Z`,
      ink.sky[1],
      'opacity="0.22"',
    ),
  )
  return (
    sky(ink) +
    stars(random, 50, 420, ink.paper) +
    disc(330, 330, 176, ink.disc) +
    circle(280, 290, 22, ink.far, 'opacity="0.12"') +
    circle(390, 380, 34, ink.far, 'opacity="0.1"') +
    path('M0 700Q150 600 300 660T600 620L600 840L0 840Z', ink.far) +
    tower(206, 400, 40) +
    tower(258, 330, 56) +
    tower(326, 430, 44) +
    tower(380, 372, 34) +
    rect(200, 500, 222, 140, ink.near) +
    path(crag, ink.near) +
    mist +
    each(9, bat)
  )
}

/** Roofs, lit windows, and a lamp in the fog. */
export const town: Scene = ({ ink, random }) => {
  const street = (index: number) => {
    const shade = mix(ink.far, ink.near, index / 3)
    let x = -20
    let drawn = ''
    while (x < WIDTH) {
      const [wide, top] = [56 + random() * 58, 330 + index * 96 + random() * 84]
      drawn +=
        rect(x, top, wide + 1, HEIGHT - top, shade) +
        path(
          `M${n(x - 4)} ${n(top)}l${n(wide / 2 + 4)} ${n(-26 - random() * 36)}l${n(wide / 2 + 5)} ${n(26 + random() * 4)}Z`,
          shade,
        ) +
        rect(x + wide * 0.68, top - 46, 12, 40, shade)
      for (let y = top + 22; y < top + 190; y += 34)
        for (let at = x + 11; at < x + wide - 14; at += 23)
          if (random() < 0.34) drawn += rect(at, y, 10, 16, random() < 0.75 ? '#ffd98a' : ink.accent, 'opacity="0.9"')
      x += wide
    }
    return drawn + rect(0, 470 + index * 100, WIDTH, 120, ink.sky[1], 'opacity="0.16"')
  }
  const lamp =
    circle(120, 520, 120, '#ffe2a0', 'opacity="0.14"') +
    circle(120, 520, 64, '#ffe2a0', 'opacity="0.22"') +
    rect(115, 540, 10, 300, ink.near) +
    path('M98 500l44 0l-9 46l-26 0Z', '#fff0c4') +
    path('M92 500l28 -24l28 24Z', ink.near) +
    rect(106, 546, 28, 6, ink.near)
  return sky(ink) + disc(418, 214, 78, ink.disc) + each(4, street) + lamp
}

/** Lightning over a tower with one lit window. */
export const storm: Scene = ({ ink, random }) => {
  const bolt = (x: number, y: number, long: number, wide: number): string => {
    const points: [number, number][] = [[x, y]]
    for (let at = 0; at < 9; at++)
      points.push([(points.at(-1)?.[0] ?? x) + (random() - 0.5) * 70, y + ((at + 1) * long) / 9])
    const [bx, by] = points[3] ?? [x, y]
    return (
      line(through(points), ink.disc, wide * 3.4, 'opacity="0.18" stroke-linejoin="round"') +
      line(through(points), '#fffbe8', wide, 'stroke-linejoin="miter"') +
      (wide > 2.5 ? bolt(bx, by, long * 0.45, wide * 0.5) : '')
    )
  }
  const clouds = each(
    34,
    () =>
      `<ellipse cx="${n(random() * 640 - 20)}" cy="${n(random() * 210)}" rx="${n(60 + random() * 90)}" ry="${n(22 + random() * 34)}" fill="${mix(ink.near, ink.far, random() * 0.8)}" opacity="0.8"/>`,
  )
  const slopes =
    path('M0 700Q140 610 300 650T600 600L600 840L0 840Z', ink.mid) +
    path('M0 760Q220 680 600 740L600 840L0 840Z', ink.near)
  const tower =
    path('M352 690l8 -250l100 0l8 250Z', ink.near) +
    each(5, (index) => rect(352 + index * 24, 416, 16, 26, ink.near)) +
    rect(350, 436, 120, 10, ink.near) +
    rect(396, 486, 28, 46, ink.accent, 'rx="14"') +
    circle(410, 510, 70, ink.accent, 'opacity="0.16"')
  return sky(ink) + bolt(250, 150, 430, 5) + bolt(470, 130, 270, 3.4) + clouds + slopes + tower
}

/** Banners and spears before a red sun. */
export const banners: Scene = ({ ink, random }) => {
  const flag = (index: number) => {
    const x = 40 + index * 74 + (random() - 0.5) * 20
    const top = 290 + random() * 170
    const fill = [ink.accent, ink.near, ink.mid][index % 3] ?? ink.near
    return (
      rect(x, top - 34, 6, HEIGHT, ink.near) +
      path(`M${n(x - 4)} ${n(top - 34)}l7 -40l7 40Z`, ink.near) +
      path(`M${n(x + 6)} ${n(top)}q24 14 46 0t42 4l0 168q-20 -12 -42 2t-46 -2Z`, fill) +
      circle(x + 50, top + 80, 24, 'none', `stroke="${ink.paper}" stroke-width="5" opacity="0.9"`) +
      circle(x + 50, top + 80, 9, ink.paper, 'opacity="0.9"')
    )
  }
  const dust = each(7, (index) =>
    path(
      `M-20 ${690 + index * 22}Q${n(100 + random() * 120)} ${650 + index * 22} 300 ${688 + index * 22}T640 ${680 + index * 22}L640 860L-20 860Z`,
      mix(ink.far, ink.near, index / 6),
      'opacity="0.8"',
    ),
  )
  return (
    sky(ink) +
    disc(300, 360, 186, ink.disc) +
    path('M0 620Q160 520 330 590T600 560L600 840L0 840Z', ink.far) +
    each(8, flag) +
    dust
  )
}

/** Curling clouds, a far palace, and a road in the air. */
export const heaven: Scene = ({ ink, random }) => {
  const curl = (x: number, y: number, size: number, fill: string) =>
    circle(x, y, size, fill) +
    line(
      `M${n(x - size * 0.6)} ${n(y)}a${n(size * 0.6)} ${n(size * 0.6)} 0 1 1 ${n(size * 0.6)} ${n(size * 0.6)}a${n(size * 0.36)} ${n(size * 0.36)} 0 1 1 ${n(size * 0.1)} ${n(-size * 0.68)}`,
      ink.paper,
      size * 0.085,
    )
  const bank = (y: number, fill: string, size: number) =>
    each(Math.ceil(700 / size), (index) =>
      curl(
        index * size * 1.05 - 20 + random() * 22,
        y + Math.sin(index * 1.3) * 24,
        size * (0.8 + random() * 0.4),
        fill,
      ),
    ) + rect(0, y + size * 0.3, WIDTH, HEIGHT, fill)
  const tier = (y: number, half: number) =>
    path(
      `M${300 - half - 26} ${y}Q${300 - half} ${y - 8} ${300 - half * 0.7} ${y - 36}L${300 + half * 0.7} ${y - 36}Q${300 + half} ${y - 8} ${300 + half + 26} ${y}Z`,
      ink.near,
    ) +
    rect(300 - half * 0.78, y, half * 1.56, 44, ink.accent) +
    each(5, (at) => rect(300 - half * 0.7 + at * half * 0.33, y + 8, half * 0.1, 30, ink.near))
  return (
    sky(ink) +
    disc(300, 330, 160, ink.disc) +
    tier(330, 54) +
    tier(404, 88) +
    tier(478, 124) +
    bank(560, ink.far, 66) +
    bank(650, ink.mid, 78) +
    bank(750, ink.near, 92)
  )
}
