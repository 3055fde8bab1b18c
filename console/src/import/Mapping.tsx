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
import css from './Import.module.css'
import { importTexts } from './texts.ts'

type FileColumn = Import['columns'][number]

/** Maps columns to fields. A changed mapping takes effect when the user has the rows checked again. */
export function Mapping({ one }: { one: Import }) {
  const texts = importTexts.use()
  const nameOf = useFieldNames(one.entityType)
  const [mapping, setMapping] = useState(one.mapping)
  const [emptyCells, setEmptyCells] = useState(one.emptyCells)
  const [added, setAdded] = useState<string[]>([])
  const map = useMutation({
    mutationFn: () => call(importsApi.map, { id: one._id, body: { mapping, emptyCells } }),
    meta: { failure: texts.mapFailed },
  })
  const fields = [...new Set([...one.fields, ...added])]
  const isSame =
    emptyCells === one.emptyCells && one.columns.every(({ header }) => mapping[header] === one.mapping[header])
  const choose = (header: string, path: string) =>
    setMapping((before) => {
      const freed = Object.entries(before).map(([each, field]) => [each, path !== '' && field === path ? null : field])
      return { ...Object.fromEntries(freed), [header]: path || null } as typeof before
    })
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
        <Button disabled={isSame} busy={map.isPending} onClick={() => map.mutate()}>
          {texts.recheck}
        </Button>
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
      cell: ({ samples }) => <Muted className="line-clamp">{samples.join(' · ')}</Muted>,
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
      <Button type="submit" disabled={tag === undefined}>
        {texts.add}
      </Button>
    </Row>
  )
}
