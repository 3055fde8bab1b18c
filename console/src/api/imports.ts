import {
  type Import,
  type ImportState,
  type ImportSummary,
  importsApi,
  type ImportType,
} from '@mokuroku/contract/imports'
import { call } from './call.ts'
import { useWork } from './progress.ts'
import { form, send, type UploadOptions } from './upload.ts'

/**
 * Uploads a file of entities of a kind, or of translations. Throws ApiError, or the signal's reason if it was aborted.
 */
export const sendImport = (file: File, entityType: ImportType, how: UploadOptions): Promise<Import> =>
  send(importsApi.create, {}, form(file, { entityType }), {}, how)

/** Whether an import is being processed. */
export const isUnderWay = ({ state }: { state: ImportState }): boolean =>
  state === 'reading' || state === 'checking' || state === 'applying'

const IMPORTS = {
  stream: importsApi.stream,
  find: (id: string, signal: AbortSignal): Promise<ImportSummary> =>
    call(importsApi.find, { id, query: { limit: 1 }, signal }),
  isEnded: (one: ImportSummary) => !isUnderWay(one),
}

/** The state of an import, followed while it is being processed. Undefined until that is known, and otherwise. */
export const useImport = (one: Import): ImportSummary | undefined =>
  useWork(IMPORTS, isUnderWay(one) ? one._id : undefined, one.version)
