import { type ComponentProps, createElement, type JSX } from 'react'
import css from './layout.module.css'

// Layout and text styles that every screen needs. The class of a screen overrides them.

type Tag = keyof JSX.IntrinsicElements
type Props<Name extends Tag, Own> = Own & { as?: Name } & Omit<ComponentProps<Name>, keyof Own | 'as'>

interface Spacing {
  /** A step of --space-…; none where it is not given. */
  gap?: 1 | 2 | 3 | 4 | 5 | 6 | 8
}

/** Children below each other, each as wide as the stack. */
export function Stack<Name extends Tag = 'div'>({ gap, ...others }: Props<Name, Spacing>) {
  return element([css.stack, gap && css[`gap-${gap}`]], others)
}

interface RowProps extends Spacing {
  /** Across the row; centred where it is not given. */
  align?: 'start' | 'end' | 'baseline' | 'stretch'
  /** Along the row; at its start where it is not given. */
  justify?: 'between' | 'end' | 'center'
  /** What has no room goes to the next line. */
  wrap?: boolean
}

/** Children beside each other. */
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

/** One line that ends in an ellipsis where it has no room. */
export function Truncate<Name extends Tag = 'span'>(props: Props<Name, object>) {
  return element([css.truncate], { as: 'span', ...props })
}

/** Secondary text; `small` for captions. */
export function Muted<Name extends Tag = 'span'>({ small, ...others }: Props<Name, { small?: boolean }>) {
  return element([css.muted, small && css.small], { as: 'span', ...others })
}

function element(
  names: (string | false | 0 | undefined)[],
  { as = 'div', className, ...props }: { as?: Tag; className?: string | undefined },
) {
  return createElement(as, { ...props, className: [...names, className].filter(Boolean).join(' ') })
}
