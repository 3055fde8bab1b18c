const MAX_FILENAME_BYTES = 255
/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Control and invisible characters, those that turn the direction of text included; joiners within words stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

/** A file's name as people are shown it: the last part of its path, without what deceives or cannot be seen. */
export function cleanName(given: string): string {
  const last = given.toWellFormed().replace(UNSEEN, '').normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const trimmed = last
    .trim()
    .replace(/^\.+/, '')
    .replace(/[.\s]+$/, '')
  if (!trimmed) return 'file'
  return shortened(DEVICE.test(trimmed) ? `_${trimmed}` : trimmed)
}

/** At most 255 characters, the extension kept. */
function shortened(name: string): string {
  if (name.length <= MAX_FILENAME_BYTES) return name
  const extension = /\.[\w-]{1,12}$/.exec(name)?.[0] ?? ''
  return (
    name
      .slice(0, MAX_FILENAME_BYTES - extension.length)
      .toWellFormed()
      .replace(/\ufffd$/, '') + extension
  )
}
