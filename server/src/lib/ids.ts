import { v7 } from 'uuid'

/** A new UUIDv7: ids sort by the moment they were made. */
export const newId = (): string => v7()

/** Now, as ISO 8601 in UTC. */
export const now = (): string => new Date().toISOString()
