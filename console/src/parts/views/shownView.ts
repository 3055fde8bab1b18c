import { createStore } from '#lib/createStore.ts'
import type { ViewQuery } from './viewQuery.ts'

/** What the list on screen shows, as a view; undefined on other screens. */
export const shownView = createStore<ViewQuery | undefined>(undefined)
