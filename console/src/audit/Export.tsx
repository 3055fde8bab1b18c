import { auditApi, EXPORT_FORMATS } from '@mokuroku/contract/audit'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { download } from '#api/download.ts'
import { Button } from '#ui/Button.tsx'
import type { AuditFilterState } from './applied.ts'
import { texts as area } from './texts.ts'

type Format = (typeof EXPORT_FORMATS)[number]

/** Exports the entries that match the filters: as a table, or exactly as they were hashed. */
export function Export({ filters }: { filters: AuditFilterState }) {
  const texts = area.use()
  const exporting = useMutation({
    mutationFn: (format: Format) => download(auditApi.export, { query: { format, ...filters } }),
    meta: { failure: texts.exportFailed },
  })
  return EXPORT_FORMATS.map((format) => (
    <Button
      key={format}
      icon={Download}
      busy={exporting.isPending && exporting.variables === format}
      onClick={() => exporting.mutate(format)}
    >
      {texts.exportAs(format.toUpperCase())}
    </Button>
  ))
}
