/** The path of PUBLIC_URL, without a slash at its end: '' where the server has a host for itself. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

/** An address as the routes know it, whether the proxy before this server took the base path away or left it. */
export function withoutBasePath(address: string, base: string): string {
  if (base === '' || !address.startsWith(base)) return address
  const rest = address.slice(base.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : address
}

/** The page of the console for a base path: its files, and where the API and the screens are. */
export function pageUnder(html: string, base: string): string {
  const path = base.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return html
    .replaceAll(/\b(href|src)="\/(?!\/)/g, (_, name: string) => `${name}="${path}/`)
    .replaceAll(/(<meta name="(?:api-host|base-path)" content=")"/g, (_, start: string) => `${start}${path}"`)
}
