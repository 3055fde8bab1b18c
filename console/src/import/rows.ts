import type { ImportType } from '@mokuroku/contract/imports'
import { kindOf } from '@mokuroku/contract/kinds'

/** Whether a column holds the title or name of an entry. */
export function isTitlePath(type: ImportType, path: string): boolean {
  if (type === 'Translation') return path === 'title'
  const { title = '', original = '' } = kindOf(type).texts ?? {}
  return path === original || path.endsWith(`.${title}`)
}
