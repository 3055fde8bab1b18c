/** Round tick values from 0 to at least `max`, about `wanted` of them. */
export function ticks(max: number, wanted = 4): number[] {
  const raw = Math.max(max, 1) / wanted
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw)
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step)
}

/**
 * Groups series, by index, that can share an axis: all of them if their peaks are within a factor of 8, or else each on
 * its own, because on a common axis the smaller ones would look like flat lines.
 */
export function panels(series: readonly (readonly number[])[]): number[][] {
  const peaks = series.map((values) => Math.max(0, ...values)).filter((peak) => peak > 0)
  const apart = peaks.length > 1 && Math.max(...peaks) / Math.min(...peaks) > 8
  const all = series.map((_, index) => index)
  return apart ? all.map((index) => [index]) : [all]
}

/** Estimated width of a label at 11 px, in pixels, rather too wide: capitals are wide, East Asian characters square. */
export const labelWidth = (label: string): number =>
  Array.from(label).reduce((sum, sign) => sum + (sign >= '\u2e80' ? 12 : 8.4), 0)

/**
 * Wraps each label into lines of at most `room` pixels, the distance between neighbours; undefined if a single word is
 * too wide.
 */
export function wrapped(labels: readonly string[], room: number): string[][] | undefined {
  const all = labels.map((label) => linesOf(label, room))
  return all.flat().some((line) => labelWidth(line) > room) ? undefined : all
}

function linesOf(label: string, room: number): string[] {
  const lines: string[] = []
  for (const word of label.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && labelWidth(`${last} ${word}`) <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/**
 * Vertical offset in pixels of a point's number from the point (negative: above); undefined if there is no room for it.
 * `y` is the position of the point, `other` that of the other line there, `floor` that of the axis.
 */
export function numberAt(y: number, other: number | undefined, floor: number): number | undefined {
  if (other === undefined || y < other) return -9
  if (y + 19 <= floor && y > other) return 17
  return y - other > 28 ? -9 : undefined
}
