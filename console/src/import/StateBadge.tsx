import type { ImportState } from '@mokuroku/contract/imports'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { importTexts } from './texts.ts'

const TONES: Record<ImportState, Tone> = {
  reading: 'accent',
  checking: 'accent',
  ready: 'plum',
  applying: 'accent',
  done: 'success',
  failed: 'danger',
  cancelled: 'warning',
}

/** The state of an import as a badge. */
export const StateBadge = ({ state }: { state: ImportState }) => (
  <Badge tone={TONES[state]}>{importTexts.use().states[state]}</Badge>
)
