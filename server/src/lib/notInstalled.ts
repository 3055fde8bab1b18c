/**
 * The error, in one line, for a library whose part that is compiled for this machine is missing. npm silently omits it if
 * Node is too old for it at installation, or with --omit=optional.
 */
export const notInstalled = (library: string, cause: unknown): Error =>
  new Error(
    `${library} is not installed for this machine (${process.platform}-${process.arch}). Install the package again, with Node 20.19 or newer and without --omit=optional.`,
    { cause },
  )
