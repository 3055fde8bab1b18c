import {
  type Import,
  type ImportState,
  type ImportSummary,
  importsApi,
  type ImportType,
} from '@mokuroku/contract/imports'
import { useEffect, useState } from 'react'
import { wrote } from './queryClient.ts'
import { followStream } from './stream.ts'
import { form, send, type UploadOptions } from './upload.ts'

/**
 * Uploads a file of entities of a kind, or of translations. Throws ApiError, or the signal's reason if it was aborted.
 */
export const sendImport = (file: File, entityType: ImportType, how: UploadOptions): Promise<Import> =>
  send(importsApi.create, {}, form(file, { entityType }), {}, how)

/** Whether an import is being processed. */
export const isUnderWay = ({ state }: { state: ImportState }): boolean =>
  state === 'reading' || state === 'checking' || state === 'applying'

/**
 * Follows an import while it is being processed, and invalidates the queries that it affects when that ends. Undefined
 * until its state is known, and without an id.
 */
export function useImport(id: string | undefined): ImportSummary | undefined {
  const [followed, setFollowed] = useState<ImportSummary>()
  useEffect(() => {
    if (id === undefined) return undefined
    const leaving = new AbortController()
    const onEvent = ({ data }: { data: ImportSummary }) => {
      setFollowed(data)
      if (isUnderWay(data)) return
      wrote(importsApi.stream)
      leaving.abort()
    }
    followStream(importsApi.stream, { id }, onEvent, leaving.signal)
    return () => leaving.abort()
  }, [id])
  return followed?._id === id ? followed : undefined
}
