// The report of a load test: a table of its calls, and a chart of them over time.

export interface Call {
  name: string
  /** When it was made, in milliseconds since the start. */
  at: number
  /** Its duration. */
  milliseconds: number
  /** 0 if there was no response. */
  status: number
}
/** An event of the test, such as the kill of a server. */
export interface Event {
  what: string
  /** In milliseconds since the start. */
  at: number
}

const isGood = ({ status }: Call): boolean => status >= 200 && status < 300

/** A percentile of the durations of calls, in milliseconds; `share` is 0.99 for the 99th. */
function percentile(calls: Call[], share: number): number {
  const times = calls.map(({ milliseconds }) => milliseconds).toSorted((one, two) => one - two)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}

/** A Markdown table: how often each call was made, its percentiles, and its failures by status. */
export function tableOf(mix: [name: string, share: number][], head: string, calls: Call[]): string {
  const rows = mix.map(([name]) => {
    const own = calls.filter((each) => each.name === name)
    const good = own.filter(isGood)
    const failed = Map.groupBy(
      own.filter((each) => !isGood(each)),
      ({ status }) => status,
    )
    const failures = [...failed].map(([status, all]) => `${all.length} × ${status || 'no answer'}`).join(', ')
    const times = [0.5, 0.95, 0.99].map((share) => percentile(good, share).toFixed(0))
    return `| ${[name, own.length, ...times, failures || '–'].join(' | ')} |`
  })
  const columns = [
    '| call | times | p50, ms | p95, ms | p99, ms | failed |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
  ]
  return [head, '', ...columns, ...rows].join('\n')
}

const [WIDTH, HEIGHT] = [960, 360]
const BOX = { left: 64, right: 944, top: 48, bottom: 312 }
/** The ticks of the logarithmic vertical axis, in milliseconds. */
const TICKS = [1, 10, 100, 1000, 10_000]
const SLICES = 60

/** An SVG chart: the median and the 99th percentile over time, on a logarithmic scale, failed calls, and events. */
export function pictureOf(calls: Call[], events: Event[], seconds: number): string {
  const total = seconds * 1000
  const x = (at: number) => BOX.left + ((BOX.right - BOX.left) * Math.min(at, total)) / total
  const highest = TICKS.at(-1) ?? 1
  const y = (ms: number) =>
    BOX.bottom - ((BOX.bottom - BOX.top) * Math.log10(Math.min(Math.max(ms, 1), highest))) / Math.log10(highest)
  const slices = [...Map.groupBy(calls, ({ at }) => Math.floor((Math.min(at, total - 1) / total) * SLICES))].toSorted(
    ([one], [two]) => one - two,
  )
  const line = (share: number) =>
    slices
      .map(([at, all]) => `${x(((at + 0.5) * total) / SLICES).toFixed(1)},${y(percentile(all, share)).toFixed(1)}`)
      .join(' ')
  const text = (at: number, up: number, words: string, more = '') => `<text x="${at}" y="${up}"${more}>${words}</text>`
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...TICKS.flatMap((ms) => [
      `<path d="M${BOX.left} ${y(ms)}H${BOX.right}" stroke="#e4e4e7"/>`,
      text(BOX.left - 8, y(ms) + 4, ms < 1000 ? `${ms} ms` : `${ms / 1000} s`, ' text-anchor="end"'),
    ]),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) =>
      text(x(share * total), BOX.bottom + 20, `${Math.round(share * seconds)} s`, ' text-anchor="middle"'),
    ),
    ...events.map(({ what, at }, index) => {
      const up = BOX.top - 26 + (index % 2) * 16
      return `<path d="M${x(at)} ${up + 4}V${BOX.bottom}" stroke="#71717a" stroke-dasharray="4 3"/>${text(x(at) + 4, up + 4, what)}`
    }),
    `<polyline points="${line(0.99)}" fill="none" stroke="#2563eb" stroke-width="2"/>`,
    `<polyline points="${line(0.5)}" fill="none" stroke="#0f766e" stroke-width="2"/>`,
    ...calls
      .filter((call) => !isGood(call))
      .map(({ at, milliseconds }) => `<circle cx="${x(at).toFixed(1)}" cy="${y(milliseconds).toFixed(1)}" r="3"/>`),
    text(BOX.left, HEIGHT - 10, 'median', ' fill="#0f766e"'),
    text(BOX.left + 80, HEIGHT - 10, '99th percentile', ' fill="#2563eb"'),
    text(BOX.left + 220, HEIGHT - 10, 'calls that failed', ' fill="#dc2626"'),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3f3f46">\n<style>circle { fill: #dc2626; opacity: .6 }</style>\n${parts.join('\n')}\n</svg>\n`
}
