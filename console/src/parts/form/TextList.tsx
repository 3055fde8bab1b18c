import { X } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '#ui/Button.tsx'
import { TextField } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import { isFocusLeaving } from '#ui/leaves.ts'
import { guessLanguage } from '#lib/text.ts'
import { type FieldProps, placeAttribute, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'
import { formTexts } from './texts.ts'

/** A list of texts, with an input for each. The last input is empty; typing in it adds a text. */
export function TextList({ place, value }: FieldProps) {
  const id = useId()
  const texts = formTexts.use()
  const { set, isReadOnly } = useForm()
  const label = useLabelOf()(place)
  const items = Array.isArray(value) ? value.map(String) : []
  const put = (at: number, text: string) => (value ? set([...place, at], text, 'typing') : set(place, [text], 'typing'))
  // Text pasted as several lines becomes several texts.
  const paste = (at: number, text: string) => {
    const lines = text.split('\n').map((line) => line.trim())
    set(place, [...items.slice(0, at), ...lines.filter(Boolean), ...items.slice(at + 1)])
  }
  // Not before the focus leaves the list: they may still be being typed, and a button that was pressed would be that of
  // another text.
  const dropEmpty = () => !isReadOnly && items.includes('') && set(place, items.filter(Boolean))
  return (
    <fieldset className={css.set} aria-describedby={id}>
      <legend className={css.legend}>{label}</legend>
      <div onBlur={(event) => isFocusLeaving(event) && dropEmpty()}>
        <ul className={css.items}>
          {[...items, ...(isReadOnly ? [] : [''])].map((item, at) => (
            <Item
              key={at}
              place={[...place, at]}
              label={at < items.length ? texts.item(label, at + 1) : texts.add(label)}
              isLast={at === items.length}
              item={item}
              onText={(text) => put(at, text)}
              onLines={(text) => paste(at, text)}
              onRemove={() => set([...place, at], undefined)}
            />
          ))}
        </ul>
      </div>
      <Messages id={id} {...useMarks(place, 'only')} />
    </fieldset>
  )
}

interface ItemProps {
  place: readonly (string | number)[]
  label: string
  isLast: boolean
  item: string
  onText: (text: string) => void
  onLines: (text: string) => void
  onRemove: () => void
}

function Item({ place, label, isLast, item, onText, onLines, onRemove }: ItemProps) {
  const texts = formTexts.use()
  const { isReadOnly } = useForm()
  const marks = useMarks(place)
  return (
    <Row as="li" gap={1} align="start" data-place={placeAttribute(place)}>
      <TextField
        {...marks}
        hideLabel
        className={css.grow}
        label={label}
        placeholder={isLast ? label : undefined}
        value={item}
        lang={guessLanguage(item)}
        readOnly={isReadOnly}
        autoComplete="off"
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (isReadOnly || !text.trim().includes('\n')) return
          event.preventDefault()
          onLines(text)
        }}
      />
      {!isLast && !isReadOnly && (
        <IconButton
          icon={X}
          size="small"
          label={texts.remove(item || label)}
          // Safari does not focus a pressed button, so the focus would leave the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onRemove}
        />
      )}
    </Row>
  )
}
