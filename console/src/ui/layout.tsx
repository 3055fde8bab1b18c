import { type ComponentProps, createElement, type JSX, type ReactNode } from 'react'
import css from './layout.module.css'

// Layout and text styles that every screen needs. Class names passed by a screen override them.

type Tag = keyof JSX.IntrinsicElements
type Props<Name extends Tag, Own> = Own & { as?: Name } & Omit<ComponentProps<Name>, keyof Own | 'as'>

interface Spacing {
  /** A step of --space-…; none by default. */
  gap?: 1 | 2 | 3 | 4 | 5 | 6 | 8
}

/** A vertical stack; children take its full width. */
export function Stack<Name extends Tag = 'div'>({ gap, ...others }: Props<Name, Spacing>) {
  return element([css.stack, gap && css[`gap-${gap}`]], others)
}

interface RowProps extends Spacing {
  /** Cross-axis alignment; centred by default. */
  align?: 'start' | 'end' | 'baseline' | 'stretch'
  /** Main-axis alignment; start by default. */
  justify?: 'between' | 'end' | 'center'
  /** Whether children wrap onto the next line. */
  wrap?: boolean
}

/** A horizontal row. */
export function Row<Name extends Tag = 'div'>({ gap, align, justify, wrap, ...others }: Props<Name, RowProps>) {
  return element(
    [
      css.row,
      gap && css[`gap-${gap}`],
      align && css[`align-${align}`],
      justify && css[`justify-${justify}`],
      wrap && css.wrap,
    ],
    others,
  )
}

/** A single line, truncated with an ellipsis; its tooltip is the whole text, unless it has another `title`. */
export function Truncate<Name extends Tag = 'span'>({
  title,
  ...props
}: Props<Name, { title?: string | undefined; children?: ReactNode }>) {
  const { children } = props
  return element([css.truncate], {
    as: 'span',
    title: title ?? (typeof children === 'string' ? children : undefined),
    ...props,
  })
}

/** Secondary text; `small` for captions, `inline` for the font size of the text around it. */
export function Muted<Name extends Tag = 'span'>({
  small,
  inline,
  ...others
}: Props<Name, { small?: boolean; inline?: boolean }>) {
  return element([css.muted, small && css.small, inline && css.inline], { as: 'span', ...others })
}

function element(
  names: (string | false | 0 | undefined)[],
  { as = 'div', className, ...props }: { as?: Tag; className?: string | undefined; title?: string | undefined },
) {
  return createElement(as, { ...props, className: [...names, className].filter(Boolean).join(' ') })
}
