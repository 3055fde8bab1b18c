/**
 * With Trusted Types, which the page's Content-Security-Policy asks for, the browser passes every text that is about to
 * become markup, script or a script's address through this policy. The console itself makes none; React and the widget
 * library set style sheets, which hold no tag. Everything else is refused, whatever code it comes from.
 */
export function installTrustedTypesPolicy(): void {
  const { trustedTypes } = window as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })
}

/** What is needed of it here (W3C, Trusted Types); not every browser has it. */
interface Factory {
  createPolicy: (name: 'default', rules: { createHTML: (text: string) => string | null }) => unknown
}
