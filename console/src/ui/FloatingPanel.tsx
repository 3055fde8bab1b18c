import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './Dropdown.module.css'
import { Widgets } from './Widgets.tsx'

interface Props {
  label: string
  opened: boolean
  onClose: () => void
  position: 'bottom-start' | 'bottom-end'
  /** In pixels. */
  width: number
  className?: string | undefined
  children: ReactNode
}

/** The panel of a `Dropdown`. It traps the focus until it is closed. */
export function FloatingPanel({ label, opened, onClose, position, width, className, children }: Props) {
  return (
    <Widgets>
      <Popover
        opened={opened}
        onChange={(open) => !open && onClose()}
        position={position}
        width={width}
        withinPortal={false}
        closeOnClickOutside={false}
        trapFocus
        classNames={{ ...(className && { dropdown: className }) }}
      >
        <Popover.Target>
          <span className={css.target} aria-hidden />
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
      </Popover>
    </Widgets>
  )
}
