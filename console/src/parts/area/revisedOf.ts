import type { Revised } from '#parts/history/revised.ts'
import type { Area } from './area.ts'

/** The part of an area that the history needs. */
export const revisedOf = ({ kind, editor, written }: Area): Revised => ({ kind, links: editor.links, written })
