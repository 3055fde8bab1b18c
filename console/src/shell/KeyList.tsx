import { Fragment } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { written } from '#ui/useShortcut.ts'
import css from './KeyList.module.css'

export function KeyList({ onClose }: { onClose: () => void }) {
  const { keys } = useMessages()
  const rows: [string[], string][] = [
    [[written('K')], keys.palette],
    [['/'], keys.search],
    [['j', 'k'], keys.move],
    [['Enter'], keys.open],
    [[written('S')], keys.save],
    [[written('F')], keys.find],
    [['Esc', 'Tab'], keys.leave],
    [['Esc'], keys.close],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl className={css.list}>
        {rows.map(([combination, meaning]) => (
          <Fragment key={meaning}>
            <dt>
              {combination.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
