/** Round tick values from 0 to at least `max`, about `wanted` of them. */
export function ticks(max: number, wanted = 4): number[] {
  const raw = Math.max(max, 1) / wanted
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw)
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step)
}

/**
 * Series that share an axis honestly, by index: all of them when their peaks are within a factor of 8,
 * else each alone, because on one axis the smaller would be a flat line that says nothing.
 */
export function panels(series: readonly (readonly number[])[]): number[][] {
  const peaks = series.map((values) => Math.max(0, ...values)).filter((peak) => peak > 0)
  const apart = peaks.length > 1 && Math.max(...peaks) / Math.min(...peaks) > 8
  const all = series.map((_, index) => index)
  return apart ? all.map((index) => [index]) : [all]
}
