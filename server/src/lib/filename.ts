import { normalize } from '@mokuroku/contract/normalize'

const MAX_FILENAME_LENGTH = 255
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Control and invisible characters, including those that change the text direction; joiners within words stay. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

/** Sanitizes a filename for display: the last part of its path, without deceptive or invisible characters. */
export function cleanFilename(given: string): string {
  const last = normalize(given.toWellFormed().replace(INVISIBLE, ''), 'NFC').split(/[/\\]/).at(-1) ?? ''
  const trimmed = last
    .trim()
    .replace(/^\.+/, '')
    // The look-behind keeps it linear: only the start of a run is tried.
    .replace(/(?<![.\s])[.\s]+$/, '')
  if (!trimmed) return 'file'
  return shortened(DEVICE.test(trimmed) ? `_${trimmed}` : trimmed)
}

/** At most 255 UTF-16 code units, including the extension. */
function shortened(name: string): string {
  if (name.length <= MAX_FILENAME_LENGTH) return name
  const extension = /\.[\w-]{1,12}$/.exec(name)?.[0] ?? ''
  return (
    name
      .slice(0, MAX_FILENAME_LENGTH - extension.length)
      .toWellFormed()
      .replace(/\ufffd$/, '') + extension
  )
}
