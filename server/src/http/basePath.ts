/** The path of PUBLIC_URL, without a trailing slash: '' if the server has a host for itself. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

/** A URL path as the routes know it, whether or not the proxy has removed the base path. */
export function withoutBasePath(address: string, base: string): string {
  if (base === '' || !address.startsWith(base)) return address
  const rest = address.slice(base.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : address
}

/** The HTML page of the console for a base path: sets the URLs of its files, of the API and of its screens. */
export function pageUnder(html: string, base: string): string {
  const path = base.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return html
    .replaceAll(/\b(href|src)="\/(?!\/)/g, (_, name: string) => `${name}="${path}/`)
    .replaceAll(/(<meta name="(?:api-host|base-path)" content=")"/g, (_, start: string) => `${start}${path}"`)
}
