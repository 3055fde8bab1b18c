import { PAGING } from '@mokuroku/contract/lists'
import { Link } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { useMe } from '#api/session.ts'
import { rowTexts } from '#parts/filters/rowTexts.ts'
import { ownOf } from '#parts/selection/useSelection.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import type { ScreenProps } from './area.ts'
import { COLUMNS_PARAM } from './useColumns.ts'

/** URL parameters of a list that do not apply to the desk. */
const NO_FILTERS = new Set([...PAGING, COLUMNS_PARAM])

/** Link from a filtered list to the desk, which goes through its entities one by one. */
export function WorkLink({ area: { kind, refusals }, state }: ScreenProps & { state: Record<string, unknown> }) {
  const texts = rowTexts.use()
  const me = useMe()
  const refusal = refusals(me).edit(ownOf(me))
  if (refusal) {
    return (
      <Button icon={ListChecks} reason={refusal} aria-label={texts.work}>
        <span className="wide-only">{texts.work}</span>
      </Button>
    )
  }
  const filters = Object.entries(state).filter(([name]) => !NO_FILTERS.has(name))
  return (
    <Link
      to="/work"
      search={{ entityType: kind, ...Object.fromEntries(filters) }}
      className={buttonClass()}
      title={texts.work}
    >
      <ListChecks size={16} aria-hidden />
      <span className="wide-only">{texts.work}</span>
    </Link>
  )
}
