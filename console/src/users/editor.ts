/** The height of the user editor in pixels. */
export const HEIGHT = 550
/** What no draft may hold. */
export const SECRETS = ['password']
