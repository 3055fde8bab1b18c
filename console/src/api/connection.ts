import { createStore } from '#lib/createStore.ts'

/** Why the server cannot be reached: the browser is offline, or the server does not answer; undefined while it can. */
export const lostConnection = createStore<'offline' | 'server' | undefined>(undefined)
