import type { ReactElement } from 'react'
import { ImagePicker } from '#parts/images/ImagePicker.tsx'
import { TagPicker } from '#parts/TagPicker.tsx'
import { SelectField } from '#ui/Field.tsx'
import type { BulkAction, Change } from './actions.ts'
import { NewTagPicker } from './NewTagPicker.tsx'
import { bulkTexts } from './texts.ts'

interface Props {
  action: BulkAction
  change: Change | undefined
  /** Called with undefined while nothing is chosen. */
  onChange: (change: Change | undefined) => void
}

/** The fields of an action's dialog. */
export function BulkFields({ action, change, onChange }: Props): ReactElement | null {
  const texts = bulkTexts.use()
  switch (action.type) {
    case 'addTags':
    case 'removeTags': {
      const { type } = action
      const props = {
        ids: (change?.[type] ?? []) as string[],
        onIds: (next: string[]) => onChange(next.length > 0 ? { [type]: next } : undefined),
      }
      return type === 'addTags' ? <NewTagPicker {...props} /> : <TagPicker {...props} label={texts.removeTags} />
    }
    case 'choice':
      return <ChoiceField action={action} change={change} onChange={onChange} />
    case 'cover':
      return (
        <ImagePicker
          value={change?.[action.field] as string | undefined}
          onChoose={(id) => onChange({ [action.field]: id })}
          offersNone
        />
      )
    case 'merge':
    case 'delete':
      return null
  }
}

function ChoiceField({ action: { field, values }, change, onChange }: Props) {
  const texts = bulkTexts.use()
  const at = change ? values?.findIndex(({ value }) => value === change[field]) : ''
  return (
    <SelectField
      label={texts.value}
      value={String(at)}
      options={[
        { value: '', label: '' },
        ...(values ?? []).map(({ label }, index) => ({ value: String(index), label })),
      ]}
      onChange={(next) => onChange(next === '' ? undefined : { [field]: values?.[Number(next)]?.value })}
    />
  )
}
