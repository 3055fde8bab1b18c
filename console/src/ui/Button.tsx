import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, Ref } from 'react'
import css from './Button.module.css'
import { Spinner } from './Spinner.tsx'
import { toast } from './toast.ts'

export interface ButtonVariant {
  variant?: 'primary' | 'default' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
}

interface Props extends ButtonVariant, Omit<ComponentProps<'button'>, 'size'> {
  icon?: LucideIcon
  /** The action is still running: shows a spinner, and ignores further presses. A button that has it is also `once`. */
  busy?: boolean
  /** Why it is not available. It looks disabled, but stays focusable, and shows the reason when pressed. */
  reason?: string | undefined
  /** Ignores the second click of a double click, which would be for what takes its place: the next row or entry. */
  once?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({ icon: Icon, children, ...props }: Props) {
  return (
    <BaseButton {...props}>
      {props.busy ? <Spinner size={14} /> : Icon && <Icon size={16} aria-hidden />}
      {children}
    </BaseButton>
  )
}

interface IconProps extends Omit<Props, 'children' | 'icon'> {
  icon: LucideIcon
  /** Accessible name and tooltip. */
  label: string
  destructive?: boolean
}

export function IconButton({ icon: Icon, label, destructive, className = '', ...props }: IconProps) {
  return (
    <BaseButton
      variant="quiet"
      aria-label={label}
      title={label}
      {...props}
      data-destructive={destructive}
      className={`${css.icon} ${className}`}
    >
      {props.busy ? (
        <Spinner size={14} />
      ) : (
        <Icon size={props.size === 'small' ? 15 : 17} strokeWidth={1.75} aria-hidden />
      )}
    </BaseButton>
  )
}

function BaseButton({ variant, size, busy, reason, once, className, ...props }: Omit<Props, 'icon'>) {
  const rest = { ...props, onClick: clicked(props, once || busy !== undefined) }
  return (
    <button
      type="button"
      {...rest}
      {...usable(rest, busy, reason)}
      className={classNames({ variant, size }, className, busy)}
    />
  )
}

/** Class names of a button, for links that look like one: `<Link className={buttonClass({ variant: 'primary' })}>`. */
export const buttonClass = ({ variant, size, icon }: ButtonVariant & { icon?: boolean } = {}) =>
  `${classNames({ variant, size })} ${icon ? css.icon : ''}`

interface Appearance {
  variant?: ButtonVariant['variant'] | undefined
  size?: ButtonVariant['size'] | undefined
}

function classNames({ variant = 'default', size = 'medium' }: Appearance, more = '', busy = false) {
  return `${css.button} ${css[variant]} ${css[size] ?? ''} ${busy ? css.busy : ''} ${more}`
}

/** The second click of a double click would also submit a form again, or its next step unseen. */
const clicked = ({ onClick, type }: ComponentProps<'button'>, once = false): ComponentProps<'button'>['onClick'] =>
  once || type === 'submit' ? (event) => (event.detail < 2 ? onClick?.(event) : event.preventDefault()) : onClick

function usable({ onClick, title }: ComponentProps<'button'>, busy = false, reason?: string) {
  if (!busy && !reason) return {}
  const refuse = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault()
    if (reason && !busy) toast.info(reason)
  }
  return { onClick: onClick || reason || busy ? refuse : undefined, 'aria-disabled': true, title: reason ?? title }
}
