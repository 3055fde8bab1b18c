// Texts of a workbook (Office Open XML, ECMA-376), in which `_x000D_` stands for a character.

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '_x000D_' }

// eslint-disable-next-line no-control-regex -- they are what is looked for
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** An underscore that begins an escape, or would begin one if an escape follows it. */
const BEFORE_CODE = /_(?=x[0-9a-f]{4})/gi

/**
 * Escapes a text for XML. Characters that XML cannot contain, or a reader would change, become `_x000D_` as in Excel
 * (ECMA-376, part 1, 22.9.2.19), and underscores that would be read as such an escape become `_x005F_`.
 */
export const sheetXml = (text: string): string =>
  text
    .replaceAll(BEFORE_CODE, '_x005F_')
    .replaceAll(NOT_IN_XML, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>"\r]/g, (sign) => SIGNS[sign] ?? sign)

/** The text of an element of a workbook. Only a small x makes an escape; the hex digits may be small or large. */
export const unescapeSheet = (text: string): string =>
  text.replaceAll(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
