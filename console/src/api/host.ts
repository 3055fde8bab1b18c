const meta = document.querySelector<HTMLMetaElement>('meta[name="api-host"]')

/** Where the API is: written into index.html by whoever hosts the console apart from it; empty means here. */
export const apiHost = (meta?.content ?? '').replace(/\/$/, '')

/** The address of an asset or cover: their `url` is relative to the API host. */
export const fileUrl = (url: string) => (/^(https?:)?\/\//.test(url) ? url : `${apiHost}${url}`)
