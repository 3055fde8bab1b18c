const written = (name: string): string =>
  (document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '').replace(/\/$/, '')

/** Origin of the API, written into index.html when the console is hosted separately; empty means the same origin. */
export const apiHost = written('api-host')

/** Prefix of every screen's path, when the console shares its host with something else. */
export const basePath = written('base-path')

/** Strips the base path from a path of the address bar, giving the path that the routes know. */
export const withoutBasePath = (path: string): string =>
  basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`)) ? path.slice(basePath.length) || '/' : path

/** The full URL of an asset or cover: its `url` is relative to the API host. */
export const fileUrl = (url: string) => (/^(https?:)?\/\//.test(url) ? url : `${apiHost}${url}`)
