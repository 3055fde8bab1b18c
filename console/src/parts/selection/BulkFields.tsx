import { assetsApi } from '@mokuroku/contract/assets'
import { useQuery } from '@tanstack/react-query'
import { ImageOff, Search } from 'lucide-react'
import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import { qList } from '#api/query.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { TagPicker } from '#parts/TagPicker.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import { Stack } from '#ui/layout.tsx'
import type { BulkAction, Change } from './actions.ts'
import css from './BulkDialog.module.css'
import { bulkTexts } from './texts.ts'

interface Props {
  action: BulkAction
  change: Change | undefined
  /** Undefined while nothing is chosen. */
  onChange: (change: Change | undefined) => void
}

/** What an action has to be told before it can be done. */
export function BulkFields({ action, change, onChange }: Props) {
  switch (action.does) {
    case 'addTags':
    case 'removeTags': {
      const { does } = action
      const ids = (change?.[does] ?? []) as string[]
      return <TagPicker ids={ids} onIds={(next) => onChange(next.length > 0 ? { [does]: next } : undefined)} />
    }
    case 'choice':
      return <ChoiceField action={action} onChange={onChange} />
    case 'cover':
      return <CoverField field={action.field} change={change} onChange={onChange} />
    case 'delete':
      return null
  }
}

function ChoiceField({ action: { field, values }, onChange }: Pick<Props, 'action' | 'onChange'>) {
  const texts = bulkTexts.use()
  const [at, setAt] = useState('')
  return (
    <SelectField
      label={texts.value}
      value={at}
      options={[
        { value: '', label: '' },
        ...(values ?? []).map(({ label }, index) => ({ value: String(index), label })),
      ]}
      onChange={(next) => {
        setAt(next)
        onChange(next === '' ? undefined : { [field]: values?.[Number(next)]?.value })
      }}
    />
  )
}

/** How many images are offered at once. */
const IMAGES = 12

function CoverField({ field, change, onChange }: Pick<Props, 'change' | 'onChange'> & { field: string }) {
  const texts = bulkTexts.use()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const { data, isError } = useQuery({
    ...qList(assetsApi.list, { query: { type: 'IMAGE', status: 'READY', limit: IMAGES, ...(search && { search }) } }),
    meta: { quiet: true },
  })
  const images = data?.data ?? []
  const choose = (id: string) => onChange({ [field]: id })
  return (
    <>
      <TextField
        hideLabel
        type="search"
        icon={Search}
        label={texts.findCover}
        placeholder={texts.findCover}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {(isError || (data && images.length === 0)) && (
        <p className={css.hint} role="status">
          {isError ? texts.imagesFailed : texts.noImages}
        </p>
      )}
      <fieldset className={css.covers}>
        <legend className="sr-only">{texts.value}</legend>
        <Stack as="label" gap={1} className={css.cover}>
          <input type="radio" name={field} checked={change?.[field] === ''} onChange={() => choose('')} />
          <span className={css.none}>
            <ImageOff size={20} aria-hidden />
          </span>
          <span>{texts.noCover}</span>
        </Stack>
        {images.map(({ _id, filename, url, thumbnail }) => (
          <Stack as="label" key={_id} gap={1} className={css.cover} title={filename}>
            <input type="radio" name={field} checked={change?.[field] === _id} onChange={() => choose(_id)} />
            <img src={fileUrl(thumbnail ?? url)} alt="" loading="lazy" />
            <span>{filename}</span>
          </Stack>
        ))}
      </fieldset>
    </>
  )
}
