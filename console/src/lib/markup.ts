/**
 * Installs the default Trusted Types policy, which the page's Content-Security-Policy requires: the browser passes
 * every string that would become HTML, a script or a script URL through it. The console creates none; React and the
 * widget library only set style sheets, which contain no tags. Everything else is rejected, whatever code it comes
 * from.
 */
export function installTrustedTypesPolicy(): void {
  const { trustedTypes } = window as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })
}

/** The part of the API used here (W3C, Trusted Types); not every browser has it. */
interface Factory {
  createPolicy: (name: 'default', rules: { createHTML: (text: string) => string | null }) => unknown
}
