// What is stored in a form that servers of an older version cannot read is stored so only where there are none.

/** The migration with which revisions may hold what differs from the version before, and no snapshot. */
export const DELTAS = '040-deltas.sql'

let isRead = false

/** Whether every server that uses the database can read what is stored by the difference. */
export const areDeltasRead = (): boolean => isRead
export const allowDeltas = (isAllowed: boolean): void => void (isRead = isAllowed)
