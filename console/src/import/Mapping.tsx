import { type Import, importsApi, type ImportType } from '@mokuroku/contract/imports'
import { kindOf } from '@mokuroku/contract/kinds'
import { canonical } from '@mokuroku/contract/languageTags'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#api/call.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { useFieldNames } from '#parts/fieldNames.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import type { ChangeVersion } from './changeVersion.ts'
import { ChangesBar } from './ChangesBar.tsx'
import css from './Import.module.css'
import { importTexts } from './texts.ts'

type FileColumn = Import['columns'][number]

/**
 * The field of each column, and what empty cells do. Changes take effect when the rows are checked again, which starts
 * with `onSaved`.
 */
export function useMapping(one: Import, version: ChangeVersion, onSaved: () => void) {
  const texts = importTexts.use()
  const [chosen, setChosen] = useKeptState<Pick<Import, 'mapping' | 'emptyCells'> | undefined>(
    `mapping of ${one._id}`,
    undefined,
  )
  const { mapping, emptyCells } = chosen ?? one
  const map = useMutation({
    mutationFn: () => call(importsApi.map, { id: one._id, body: { mapping, emptyCells }, base: version.base }),
    meta: { failure: texts.mapFailed },
    onSuccess: (saved) => {
      version.saved(saved)
      onSaved()
    },
    onError: version.refused,
  })
  const isOther =
    emptyCells !== one.emptyCells || one.columns.some(({ header }) => mapping[header] !== one.mapping[header])
  // It has been stored: what others choose from now on is not to be changed back.
  if (chosen && !isOther) setChosen(undefined)
  const choose = (next: typeof chosen) => {
    version.begin()
    setChosen(next)
  }
  return {
    mapping,
    emptyCells,
    isChanged: one.batch === null && isOther,
    isSaving: map.isPending,
    /** Imports a column into a field, '' for none. The field's former column is not imported any more. */
    choose: (header: string, path: string) => {
      const freed = Object.entries(mapping).map(([each, field]) => [each, path !== '' && field === path ? null : field])
      // The same headers, with values of the same type.
      const next = { ...Object.fromEntries(freed), [header]: path || null } as typeof mapping
      choose({ mapping: next, emptyCells })
    },
    setEmptyCells: (next: Import['emptyCells']) => choose({ mapping, emptyCells: next }),
    save: () => map.mutate(),
    discard: () => setChosen(undefined),
  }
}
type ChosenMapping = ReturnType<typeof useMapping>

/** The buttons that have the rows checked again or discard the changes to the columns. */
export function MappingBar({ chosen: { isSaving, save, discard } }: { chosen: ChosenMapping }) {
  const texts = importTexts.use()
  return (
    <ChangesBar
      label={texts.mapping}
      status={texts.remapped}
      action={texts.recheck}
      busy={isSaving}
      onAction={save}
      onDiscard={discard}
    />
  )
}

/** Maps columns to fields. */
export function Mapping({ one, chosen }: { one: Import; chosen: ChosenMapping }) {
  const texts = importTexts.use()
  const nameOf = useFieldNames(one.entityType)
  const [added, setAdded] = useState<string[]>([])
  const { mapping, emptyCells, choose, setEmptyCells } = chosen
  const mapped = Object.values(mapping).filter((path) => path !== null)
  const fields = [...new Set([...one.fields, ...added, ...mapped])]
  const columns = useColumns({ fields, mapping, nameOf, onField: choose })
  return (
    <Card title={texts.mapping} flush>
      <p className={css.hint}>{texts.mappingHint}</p>
      <Table<FileColumn>
        label={texts.mapping}
        columns={columns}
        rows={one.columns}
        rowKey={({ header }) => header}
        empty={null}
      />
      <Row gap={4} wrap align="end" justify="between" className={css.foot}>
        {one.entityType !== 'Translation' && (
          <AddLanguage onAdd={(tag) => setAdded((before) => [...before, ...textPaths(one.entityType, tag)])} />
        )}
        <SelectField
          label={texts.emptyCells}
          value={emptyCells}
          options={[
            { value: 'keep', label: texts.keep },
            { value: 'clear', label: texts.clear },
          ]}
          onChange={(value) => setEmptyCells(value === 'clear' ? 'clear' : 'keep')}
        />
      </Row>
    </Card>
  )
}

/** The paths of a kind's texts in a language. */
const textPaths = (type: ImportType, tag: string): string[] =>
  type === 'Translation' ? [] : (kindOf(type).texts?.fields ?? []).map((name) => `translations.${tag}.${name}`)

interface Choosing {
  fields: string[]
  mapping: Import['mapping']
  nameOf: (path: string) => string
  onField: (header: string, path: string) => void
}

function useColumns({ fields, mapping, nameOf, onField }: Choosing): Column<FileColumn>[] {
  const texts = importTexts.use()
  const options = [{ value: '', label: texts.ignored }, ...fields.map((value) => ({ value, label: nameOf(value) }))]
  return [
    { key: 'header', head: texts.header, cell: ({ header }) => <span className={css.header}>{header}</span> },
    {
      key: 'samples',
      head: texts.samples,
      width: '26%',
      cell: ({ samples }) => (
        <Muted className="line-clamp" dir="auto" title={samples.join(' · ')}>
          {samples.join(' · ')}
        </Muted>
      ),
    },
    {
      key: 'field',
      head: texts.field,
      width: '40%',
      cell: ({ header }) => (
        <SelectField
          label={texts.fieldOf(header)}
          hideLabel
          isLazy
          value={mapping[header] ?? ''}
          options={options}
          onChange={(path) => onField(header, path)}
        />
      ),
    },
  ]
}

function AddLanguage({ onAdd }: { onAdd: (tag: string) => void }) {
  const texts = importTexts.use()
  const [text, setText] = useState('')
  const tag = text.trim() === '' ? undefined : canonical(text.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!tag) return
    onAdd(tag)
    setText('')
  }
  return (
    <Row as="form" gap={2} align="end" onSubmit={submit}>
      <TextField
        label={texts.addLanguage}
        placeholder="ko"
        title={texts.languageTag}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" reason={tag === undefined ? texts.languageTag : undefined}>
        {texts.add}
      </Button>
    </Row>
  )
}
