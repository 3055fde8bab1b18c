import { EXPORT_FORMATS, exportColumns, type ExportFormat, exportOf } from '@mokuroku/contract/exports'
import type { Translated } from '@mokuroku/contract/kinds'
import { languagesApi } from '@mokuroku/contract/languages'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { localEntry } from '#api/browserStorage.ts'
import { download } from '#api/download.ts'
import { q } from '#api/query.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SelectField } from '#ui/Field.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { bulkTexts } from './texts.ts'

interface Props {
  kind: Translated
  /** The fields of the kind. */
  fields: readonly string[]
  target: { ids: string[] } | { filter: Record<string, unknown> }
  /** Number of rows in the file, as far as they were counted; undefined while it is unknown. */
  size: number | undefined
  /** Whether there are more rows than `size`. */
  isMore: boolean | undefined
  onClose: () => void
}

/** The last choice for a kind; undefined `columns`: all. */
interface Choice {
  format: ExportFormat
  columns: string[] | undefined
}

/** Asks for the format and the columns, and exports the selected entities to a file. */
export function ExportDialog({ kind, fields, target, size, isMore, onClose }: Props) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  const form = useId()
  const known = useAllColumns(kind, fields)
  const all = known ?? []
  const [{ format, columns }, setChoice] = useState(() => lastChoice(kind))
  const isTable = format !== 'ndjson'
  const chosen = all.filter((each) => columns?.includes(each) ?? true)
  const [leaving] = useState(() => new AbortController())
  const cancel = () => {
    leaving.abort()
    onClose()
  }
  const exporting = useMutation({
    mutationFn: () => {
      remember(kind, { format, columns })
      const named = isTable && columns ? { columns: chosen } : {}
      const body = { ...target, ...named, format, bom: format === 'csv' }
      return download(exportOf(kind), { body }, leaving.signal)
    },
    meta: { quiet: true },
    onError: (error) => leaving.signal.aborted || toastFailure(bulkTexts.get().exportFailed, error),
    onSuccess: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (known && !exporting.isPending && (!isTable || chosen.length > 0)) exporting.mutate()
  }
  return (
    <Dialog
      title={
        size === undefined ? texts.export : texts.on(texts.export, size, `${count(size, language)}${isMore ? '+' : ''}`)
      }
      onClose={cancel}
      wide
      footer={
        <FormButtons
          onCancel={cancel}
          form={form}
          variant="primary"
          busy={!known || exporting.isPending}
          reason={known && isTable && chosen.length === 0 ? texts.noColumns : undefined}
        >
          {texts.export}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} noValidate gap={4} onSubmit={submit}>
        <SelectField
          label={texts.format}
          value={format}
          hint={texts.formatHints[format]}
          options={EXPORT_FORMATS.map((value) => ({ value, label: texts.formats[value] }))}
          onChange={(value) => setChoice({ format: value as ExportFormat, columns })}
        />
        {isTable && (
          <SelectField
            label={texts.columns}
            // Disabled until the available columns have loaded.
            disabled={!known}
            value={columns ? 'chosen' : 'all'}
            options={[
              { value: 'all', label: texts.allColumns },
              { value: 'chosen', label: texts.chosenColumns },
            ]}
            onChange={(value) => setChoice({ format, columns: value === 'all' ? undefined : all })}
          />
        )}
        <Muted as="p">{texts.order}</Muted>
        {isTable && known && columns && (
          <ColumnChoice
            kind={kind}
            all={all}
            chosen={chosen}
            onChange={(next) => setChoice({ format, columns: next })}
          />
        )}
      </Stack>
    </Dialog>
  )
}

interface ColumnChoiceProps {
  kind: Translated
  all: string[]
  chosen: string[]
  onChange: (columns: string[]) => void
}

function ColumnChoice({ kind, all, chosen, onChange }: ColumnChoiceProps) {
  const texts = bulkTexts.use()
  const nameOf = useFieldNames(kind)
  const toggle = (column: string) => onChange(all.filter((each) => chosen.includes(each) !== (each === column)))
  return (
    <Stack gap={2}>
      <Row gap={2} wrap>
        <Button size="small" variant="quiet" onClick={() => onChange(all)}>
          {texts.checkAll}
        </Button>
        <Button size="small" variant="quiet" onClick={() => onChange(all.filter((each) => each === '_id'))}>
          {texts.checkNone}
        </Button>
      </Row>
      <CheckList
        label={texts.columns}
        items={all.map((key) => ({ key, label: nameOf(key), isChecked: chosen.includes(key) }))}
        onToggle={toggle}
      />
      {!chosen.includes('_id') && <Muted as="p">{texts.noId}</Muted>}
    </Stack>
  )
}

/** All columns that an export of a kind can have, in order, including the texts in each language in use. */
function useAllColumns(kind: Translated, fields: readonly string[]): string[] | undefined {
  const { data, isPending } = useQuery({ ...q(languagesApi.list), meta: { quiet: true } })
  if (isPending) return undefined
  const languages = (data?.data ?? []).filter((row) => row.wanted || row[kind].filled > 0)
  return exportColumns(
    kind,
    fields,
    languages.map(({ tag }) => tag),
  )
}

const entryOf = (kind: Translated) => localEntry(`export.${kind}`)

const remember = (kind: Translated, choice: Choice) => entryOf(kind).set(JSON.stringify(choice))

function lastChoice(kind: Translated): Choice {
  const nothing: Choice = { format: 'csv', columns: undefined }
  try {
    const { format, columns } = JSON.parse(entryOf(kind).get() ?? '{}') as Partial<Record<keyof Choice, unknown>>
    return {
      format: EXPORT_FORMATS.find((each) => each === format) ?? nothing.format,
      columns: Array.isArray(columns) ? columns.map(String) : undefined,
    }
  } catch {
    return nothing
  }
}
