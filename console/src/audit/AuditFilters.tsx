import { AUDIT_AREAS, type AuditRow, OUTCOMES } from '@mokuroku/contract/audit'
import { X } from 'lucide-react'
import { useState } from 'react'
import { dayOf, lastDayOf, startOf } from '#lib/days.ts'
import { Button } from '#ui/Button.tsx'
import { TextField } from '#ui/Field.tsx'
import { type FilterFields, Filters } from '#ui/Filters.tsx'
import css from './Audit.module.css'
import type { AuditFilterState } from './applied.ts'
import { texts as area } from './texts.ts'

interface Props {
  /** The filters in the URL. */
  applied: AuditFilterState
  /** The rows on screen, from which the names of the filtered actor and target are taken. */
  rows: AuditRow[]
  onApply: (filters: Partial<AuditFilterState>, how?: { replace?: boolean }) => void
  onReset: () => void
}

type Described = Pick<AuditFilterState, 'search' | 'area' | 'outcome'>

export function AuditFilters({ applied, rows, onApply, onReset }: Props) {
  const texts = area.use()
  const { from, to, actor, target } = applied
  const nameOf = rows.find(({ actorId }) => actorId === actor)?.actorName || texts.thisPerson
  const labelOf =
    rows.find(({ entityId, entityType }) => entityId === target && entityType !== 'Call')?.label || texts.thisEntry
  const fields: FilterFields<Described> = {
    search: { label: texts.search, placeholder: texts.searchHint },
    area: {
      label: texts.area,
      all: texts.allAreas,
      options: AUDIT_AREAS.map((value) => ({ value, label: texts.areas[value] })),
    },
    outcome: {
      label: texts.outcome,
      all: texts.allOutcomes,
      options: OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] })),
    },
  }
  return (
    <>
      <Filters<Described> label={texts.filters} fields={fields} applied={applied} onApply={onApply} onReset={onReset}>
        <Day label={texts.from} value={dayOf(from)} onChange={(day) => onApply({ from: startOf(day) })} />
        <Day label={texts.to} value={lastDayOf(to)} onChange={(day) => onApply({ to: startOf(day, 1) })} />
      </Filters>
      {(actor || target) && (
        <p className={css.only}>
          <span>{texts.only}</span>
          {actor && <Chip name={texts.by(nameOf)} onRemove={() => onApply({ actor: undefined })} />}
          {target && <Chip name={texts.about(labelOf)} onRemove={() => onApply({ target: undefined })} />}
        </p>
      )}
    </>
  )
}

/** A day in the URL (YYYY-MM-DD, or ''). The field keeps what is typed, because a year passes through 0002 and 0020. */
function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const [typed, setTyped] = useState({ day: value, applied: value })
  if (typed.applied !== value) setTyped({ day: value, applied: value })
  const set = (day: string) => {
    setTyped({ day, applied: value })
    if (day === '' || startOf(day) !== undefined) onChange(day)
  }
  return (
    <TextField
      type="date"
      className={css.day}
      label={label}
      value={typed.day}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}

function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  const texts = area.use()
  return (
    <Button size="small" aria-label={texts.clearFilter(name)} onClick={onRemove}>
      <span className={css.chip}>{name}</span>
      <X size={14} aria-hidden />
    </Button>
  )
}
