import { ApiError } from '@mokuroku/contract/call'
import type { Import } from '@mokuroku/contract/imports'
import { isUncertain } from '#lib/errorStatus.ts'
import { useKeptState } from '#parts/useKeptState.ts'

/**
 * The version of an import that the unsaved changes to its columns and cells are based on, so that they overwrite none
 * that others have saved since.
 */
export function useChangeVersion({ _id: id, version }: Import) {
  const [base, setBase] = useKeptState<number | undefined>(`changes to ${id}`, undefined)
  return {
    base: base ?? version,
    /** Called with each change; the first one counts. */
    begin: () => setBase(base ?? version),
    /** Called when there are no changes. */
    end: () => base !== undefined && setBase(undefined),
    /** Called when some changes are saved: the others, if any, are based on what that has stored. */
    saved: (one: Import) => setBase(one.version),
    /**
     * Called when saving fails. After a conflict, which the user is told of, saving again changes what is stored now;
     * without a response, that may be one's own change.
     */
    refused: (error: Error) =>
      (isUncertain(error) || (error instanceof ApiError && error.status === 412)) && setBase(undefined),
  }
}
export type ChangeVersion = ReturnType<typeof useChangeVersion>
