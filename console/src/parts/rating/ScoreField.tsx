import { Score } from '@mokuroku/contract/ratings'
import type { ComponentProps } from 'react'
import * as z from 'zod/mini'
import { TextField } from '#ui/Field.tsx'
import { ratingTexts } from './texts.ts'

interface Props extends Omit<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange' | 'type'> {
  text: string
  onText: (text: string) => void
}

/** Field for a score: 0 to 10 in steps of 0.1. */
export function ScoreField({ text, onText, ...field }: Props) {
  const texts = ratingTexts.use()
  return (
    <TextField
      {...field}
      type="number"
      inputMode="decimal"
      min={0}
      max={10}
      step={0.1}
      label={texts.score}
      hint={texts.scoreHint}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** Parses a score; undefined if invalid. */
export function scoreOf(text: string): number | undefined {
  const score = z.safeParse(Score, text.trim() === '' ? undefined : Number(text))
  return score.success ? score.data : undefined
}
