import { createContext } from 'react'
import type { Kind } from '#lib/areas.ts'
import type { Area } from './area.ts'

/** Loads the area of a kind, once. */
export type AreaOf = (kind: Kind) => Promise<Area>

/** Gives screens of one kind the areas of others. */
export const AreaOfContext = createContext<AreaOf>(() => Promise.reject(new Error('There are no areas here.')))
