import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { labelWidth, numberAt, panels, ticks, wrapped } from '#lib/chart.ts'
import { count } from '#lib/sizes.ts'
import { Muted } from './layout.tsx'
import css from './LineChart.module.css'

export interface Series {
  name: string
  values: readonly number[]
}

interface Props {
  title: string
  labels: readonly string[]
  /** At most two: each has its own colour and dash pattern. */
  series: readonly Series[]
  locale: string
  /** Explains how to read it with the keyboard. */
  keys: string
  /** Says that the series have different scales. */
  ownScale: string
}

const LEFT = 48
const RIGHT = 20
const TOP = 40
/** Line height of category names, in pixels. */
const LINE = 14
/** Slope of category names that do not fit side by side. */
const SLANT = (42 * Math.PI) / 180
/** Between panels, so that names do not touch the axis above them. */
const GAP = 16
const WIDE = 520
const SIDES: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * Line chart over named categories. Series of very different magnitude get panels of their own, one above the other.
 */
export function LineChart({ title, labels, series, locale, keys, ownScale }: Props) {
  const [box, width, scale] = useWidth()
  const [at, setAt] = useState<number>()
  const id = useId()
  const groups = panels(series.map(({ values }) => values))
  const narrow = width < WIDE
  const plot = groups.length > 1 ? 126 : 250
  const lines = wrapped(labels, (width - LEFT - RIGHT) / Math.max(1, labels.length) - 6)
  const longest = Math.max(0, ...labels.map(labelWidth))
  const bottom = lines ? 18 + LINE * Math.max(1, ...lines.map((each) => each.length)) : 30 + longest * Math.sin(SLANT)
  const height = groups.length * (plot + TOP + GAP) - GAP + bottom
  const x = (index: number) => LEFT + ((width - LEFT - RIGHT) * (index + 0.5)) / labels.length
  const show = (index: number) => setAt(Math.min(labels.length - 1, Math.max(0, index)))
  const point = (event: PointerEvent<SVGSVGElement>) => {
    // Not by `offsetX`: over a text, Firefox and Safari do not count it from the chart.
    const left = event.currentTarget.getBoundingClientRect().x
    const share = ((event.clientX - left) / scale - LEFT) / (width - LEFT - RIGHT)
    show(Math.floor(share * labels.length))
  }
  const onKey = (event: KeyboardEvent) => {
    const side = SIDES[event.key]
    if (event.key === 'Escape') setAt(undefined)
    if (!side) return
    event.preventDefault()
    show((at ?? (side > 0 ? -1 : labels.length)) + side)
  }
  return (
    <div ref={box} className={css.chart}>
      <svg
        width={width * scale}
        height={height * scale}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={title}
        aria-describedby={id}
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={onKey}
      >
        {at !== undefined && <line className={css.cursor} x1={x(at)} x2={x(at)} y1={TOP} y2={height - bottom} />}
        {groups.map((group, index) => (
          <Panel
            key={group.join()}
            series={series.flatMap((one, member) => (group.includes(member) ? { ...one, index: member } : []))}
            {...{ top: index * (plot + TOP + GAP) + TOP, plot, width, x, at, locale, narrow }}
          />
        ))}
        {labels.map((label, index) => (
          <Category
            key={label}
            label={label}
            x={x(index)}
            y={height - bottom + 18}
            lines={lines?.[index]}
            on={at === index}
          />
        ))}
      </svg>
      {groups.length > 1 && (
        <Muted as="p" small className={css.note}>
          {ownScale}
        </Muted>
      )}
      <p id={id} className="sr-only">
        {keys}
      </p>
      <p role="status" className="sr-only">
        {at !== undefined &&
          `${labels[at]}: ${series.map(({ name, values }) => `${name} ${count(values[at] ?? 0, locale)}`).join(', ')}`}
      </p>
    </div>
  )
}

interface Member extends Series {
  index: number
}
interface PanelProps {
  series: Member[]
  top: number
  plot: number
  width: number
  x: (index: number) => number
  at: number | undefined
  locale: string
  narrow: boolean
}

function Panel({ series, top, plot, width, x, at, locale, narrow }: PanelProps) {
  const scale = ticks(Math.max(...series.flatMap(({ values }) => values)), plot > 150 ? 5 : 3)
  const peak = scale.at(-1) ?? 1
  const y = (value: number) => top + plot * (1 - value / peak)
  // Of two equal numbers, only that of the second line is shown.
  const dyOf = (index: number, i: number) => {
    const [own, other] = [index, 1 - index].map((of) => series.find((each) => each.index === of)?.values[i])
    if (own === undefined || other === undefined) return -9
    return own === other && index === 1 ? -9 : numberAt(y(own), y(other), top + plot)
  }
  return (
    <g>
      {scale.map((tick) => (
        <g key={tick}>
          <line className={css.grid} x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className={css.tick} x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {new Intl.NumberFormat(locale, { notation: 'compact' }).format(tick)}
          </text>
        </g>
      ))}
      {series.map(({ name, values, index }, place) => (
        <g key={name} className={css[`series${index + 1}`]}>
          <g transform={`translate(${LEFT + place * (narrow ? 104 : 130)} ${top - 26})`}>
            <line className={css.line} x1={0} x2={16} y1={0} y2={0} />
            <text className={css.name} x={22} dy="0.34em">
              {name}
            </text>
          </g>
          <polyline className={css.line} points={values.map((value, i) => `${x(i)},${y(value)}`).join(' ')} />
          {values.map((value, i) => (
            <circle key={i} className={css.point} cx={x(i)} cy={y(value)} r={at === i ? 5 : 3.5} />
          ))}
          {values.map((value, i) => (
            <text
              key={i}
              className={`${css.value} ${at === i ? css.on : ''}`}
              x={x(i)}
              y={y(value)}
              dy={dyOf(index, i)}
              visibility={dyOf(index, i) === undefined ? 'hidden' : undefined}
              textAnchor="middle"
            >
              {new Intl.NumberFormat(locale, narrow ? { notation: 'compact' } : {}).format(value)}
            </text>
          ))}
        </g>
      ))}
    </g>
  )
}

interface CategoryProps {
  label: string
  x: number
  y: number
  /** undefined: the names do not fit side by side. */
  lines: readonly string[] | undefined
  on: boolean
}

/** A category name below the axis, wrapped; slanted if its words do not fit side by side. */
function Category({ label, x, y, lines, on }: CategoryProps) {
  const className = `${css.tick} ${on ? css.on : ''}`
  if (!lines)
    return (
      <text className={className} x={x} y={y} dx={6} textAnchor="end" transform={`rotate(-42 ${x} ${y})`}>
        {label}
      </text>
    )
  return (
    <text className={className} textAnchor="middle">
      {lines.map((line, at) => (
        <tspan key={line} x={x} y={y + at * LINE}>
          {at > 0 ? ` ${line}` : line}
        </tspan>
      ))}
    </text>
  )
}

/** The width of the chart in units of which 16 are a rem, so that its texts have the font size of the browser. */
function useWidth() {
  const [scale] = useState(() => (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16)
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  // Measures before the first paint: a chart that is too wide would widen the page.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    // 0: it is not displayed.
    const measure = () => element.clientWidth > 0 && setWidth(Math.round(element.clientWidth / scale))
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    return () => observer.disconnect()
  }, [scale])
  return [box, width, scale] as const
}
