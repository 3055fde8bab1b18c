import type { Revised } from '#parts/history/revised.ts'
import type { Area } from './area.ts'

/** What the history asks, of an area. */
export const revisedOf = ({ kind, editor, written }: Area): Revised => ({ kind, links: editor.links, written })
