const written = (name: string): string =>
  (document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '').replace(/\/$/, '')

/** Where the API is: written into index.html by whoever hosts the console apart from it; empty means here. */
export const apiHost = written('api-host')

/** What stands before the path of every screen, where the console has no host for itself. */
export const basePath = written('base-path')

/** The path of a screen as the routes know it, from one as the address bar shows it. */
export const withoutBasePath = (path: string): string =>
  basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`)) ? path.slice(basePath.length) || '/' : path

/** The address of an asset or cover: their `url` is relative to the API host. */
export const fileUrl = (url: string) => (/^(https?:)?\/\//.test(url) ? url : `${apiHost}${url}`)
