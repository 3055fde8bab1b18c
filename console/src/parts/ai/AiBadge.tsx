import type { AiRun } from '@mokuroku/contract/provenance'
import { Badge } from '#ui/Badge.tsx'
import { aiTexts } from './texts.ts'

/** The origin of a text that no person wrote: the name of a model, or reference data, which is no model. */
export function AiBadge({ run: { provider, model } }: { run: Pick<AiRun, 'provider' | 'model'> }) {
  const texts = aiTexts.use()
  return provider === 'reference' ? <Badge>{texts.reference}</Badge> : <Badge tone="plum">AI: {model}</Badge>
}
