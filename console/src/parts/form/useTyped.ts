import { type ChangeEvent, useState } from 'react'

/**
 * State of an input whose text differs from its value, such as a number or a date. It shows the text as typed while
 * that parses to the current value; after blur, or when the value is changed elsewhere, it shows the formatted value.
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
