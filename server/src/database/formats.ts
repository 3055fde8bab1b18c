// Formats that servers of an older version cannot read are written only when no such server is running.

/** The migration since which a revision may hold a delta to the previous version instead of a snapshot. */
export const DELTAS = '040-deltas.sql'

let isRead = false

/** Whether every server that uses the database can read deltas. */
export const areDeltasSupported = (): boolean => isRead
export const setDeltasSupported = (isAllowed: boolean): void => void (isRead = isAllowed)
