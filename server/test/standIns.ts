// Loaded before the server (node --import) if a browser test needs images from a stand-in on loopback, which the server
// would otherwise refuse to query.
import { anilistAt } from '../src/ai/sources/anilist.ts'
import { kitsuAt } from '../src/ai/sources/kitsu.ts'
import { allowedInternalHosts } from '../src/ai/sources/publicFetch.ts'

for (const host of (process.env.STAND_INS ?? '').split(',')) allowedInternalHosts.add(host)

// The same for the public catalogues, if a test sets their responses.
const catalogues = process.env.CATALOGUES
if (catalogues) {
  anilistAt.url = `http://${catalogues}/graphql`
  kitsuAt.url = `http://${catalogues}/kitsu`
}
