// Loaded before the server (node --import) where a test of the browser has pictures found by a stand-in on loopback,
// which the server would otherwise refuse to ask.
import { anilistAt } from '../src/ai/sources/anilist.ts'
import { kitsuAt } from '../src/ai/sources/kitsu.ts'
import { allowedInternalHosts } from '../src/ai/sources/publicFetch.ts'

for (const host of (process.env.STAND_INS ?? '').split(',')) allowedInternalHosts.add(host)

// The public catalogues too, where a test says what they answer.
const catalogues = process.env.CATALOGUES
if (catalogues) {
  anilistAt.url = `http://${catalogues}/graphql`
  kitsuAt.url = `http://${catalogues}/kitsu`
}
