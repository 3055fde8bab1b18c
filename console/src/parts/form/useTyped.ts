import { type ChangeEvent, useState } from 'react'

/**
 * A box whose text is another than the value: a number, a day. While it says the value that stands there, it shows what
 * was typed; the value as it is usually written shows when the box is left, or the value was changed elsewhere.
 */
export function useTyped(
  value: unknown,
  format: (value: unknown) => string,
  parse: (text: string) => unknown,
  onValue: (value: unknown) => void,
) {
  const [typed, setTyped] = useState<string>()
  const isTyped = typed !== undefined && Object.is(parse(typed), value ?? parse(''))
  return {
    value: isTyped ? typed : format(value),
    onChange: ({ currentTarget: { value: next } }: ChangeEvent<HTMLInputElement>) => {
      setTyped(next)
      onValue(parse(next))
    },
    onBlur: () => setTyped(undefined),
  }
}
