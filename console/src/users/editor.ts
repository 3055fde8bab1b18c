/** Specification 9: the user editor's height in pixels. */
export const HEIGHT = 550
/** What no draft may hold. */
export const SECRETS = ['password']
