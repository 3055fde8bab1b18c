import { EXPORT_FORMATS, type ExportFormat, exportOf } from '@mokuroku/contract/exports'
import type { Translated } from '@mokuroku/contract/kinds'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { download } from '#api/download.ts'
import { Button } from '#ui/Button.tsx'
import { bulkTexts } from './texts.ts'

interface Props {
  kind: Translated
  target: { ids: string[] } | { filter: Record<string, unknown> }
}

/** What is selected as a file: a table for a spreadsheet, or lines of JSON. */
export function Exports({ kind, target }: Props) {
  const texts = bulkTexts.use()
  const taking = useMutation({
    mutationFn: (format: ExportFormat) => {
      const rows = 'ids' in target ? { ids: target.ids.join(',') } : target.filter
      return download(exportOf(kind), { ...rows, format, ...(format === 'csv' && { bom: true }) })
    },
    meta: { failure: texts.exportFailed },
  })
  return EXPORT_FORMATS.map((format) => (
    <Button
      key={format}
      size="small"
      data-action
      icon={Download}
      busy={taking.isPending && taking.variables === format}
      onClick={() => taking.mutate(format)}
    >
      {texts.exportAs(format.toUpperCase())}
    </Button>
  ))
}
