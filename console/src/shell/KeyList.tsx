import { Fragment, useId } from 'react'
import { chooseSingleKeys } from '#api/singleKeys.ts'
import { useMessages } from '#i18n/messages.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { formatShortcut, singleKeys } from '#ui/useShortcut.ts'
import { keyTexts } from './keyTexts.ts'
import { GO_KEYS } from '../nav.ts'
import css from './KeyList.module.css'

export function KeyList({ onClose }: { onClose: () => void }) {
  const keys = keyTexts.use()
  const { nav } = useMessages()
  const isOn = singleKeys.use()
  const hint = useId()
  const rows: [string[], string][] = [
    [[formatShortcut('K')], keys.palette],
    [['/'], keys.search],
    [['j', 'k'], keys.move],
    [['Enter'], keys.open],
    [['e'], keys.edit],
    [['[', ']'], keys.neighbours],
    [['x'], keys.select],
    [['Shift x', 'Shift j', 'Shift k'], keys.extend],
    [[formatShortcut('A')], keys.selectAll],
    [['t'], keys.addTags],
    [['a'], keys.actions],
    [['f'], keys.filter],
    [['g', [...GO_KEYS.keys()].join(' ')], keys.go([...GO_KEYS].map(([key, { name }]) => [key, nav[name]]))],
    [[formatShortcut('S')], keys.save],
    [[formatShortcut('F')], keys.find],
    [[formatShortcut('E')], keys.view],
    [['Esc', 'Tab'], keys.leave],
    [[formatShortcut('Enter')], keys.workSave],
    [['Alt', 'S N Z'], keys.workSkip],
    [['Alt', '1 – 9'], keys.workTake],
    [['← ↑ → ↓', 'Enter', 'Esc'], keys.matrix],
    [['Delete', formatShortcut('Z')], keys.matrixChange],
    [[formatShortcut('V')], keys.matrixPaste],
    [[formatShortcut('Z')], keys.undo],
    [['Esc'], keys.close],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <Stack gap={1} className={css.single}>
        <Row as="label" gap={3}>
          <input
            type="checkbox"
            checked={isOn}
            aria-describedby={hint}
            onChange={({ currentTarget }) => chooseSingleKeys(currentTarget.checked)}
          />
          {keys.single}
        </Row>
        <Muted as="p" id={hint} small>
          {keys.singleHint(formatShortcut('K'))}
        </Muted>
      </Stack>
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
