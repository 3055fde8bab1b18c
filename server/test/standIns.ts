// Loaded before the server (node --import) if a browser test needs images from a stand-in on loopback, which the server
// would otherwise refuse to query.
import { CATALOGUES } from '../src/ai/sources/publicCatalogues.ts'
import { allowedInternalHosts } from '../src/ai/sources/publicFetch.ts'

for (const each of (process.env.STAND_INS ?? '').split(',')) allowedInternalHosts.add(each)

// The same for the public catalogues, if a test sets their responses.
const host = process.env.CATALOGUES
if (host) for (const catalogue of CATALOGUES) catalogue.url = `http://${host}/${catalogue.name.toLowerCase()}`
