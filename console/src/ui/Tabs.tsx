import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Row } from './layout.tsx'
import css from './Tabs.module.css'

interface Tab {
  key: string
  label: ReactNode
  panel: ReactNode
}

interface Props {
  label: string
  tabs: readonly Tab[]
  /** Key of the tab that is selected initially. */
  first: string | undefined
}

/** Tabs, as in the ARIA pattern: arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, first }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(first)
  const at = Math.max(
    0,
    tabs.findIndex(({ key }) => key === chosen),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = (next + tabs.length) % tabs.length
    setChosen(tabs[index]?.key)
    list.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <>
      <Row
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        align="stretch"
        wrap
        className={css.tabs}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            className={css.tab}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setChosen(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </Row>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`} tabIndex={0} className={css.panel}>
        {tabs[at]?.panel}
      </div>
    </>
  )
}
