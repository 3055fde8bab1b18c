import { toFieldErrors } from '@mokuroku/contract/issues'
import { MediaInput, newMedia } from '@mokuroku/contract/media'
import { reasonText } from '@mokuroku/contract/reasons'
import type { SelectedMedia } from '@mokuroku/contract/selection'
import { db, transaction } from '#database/db.ts'
import { takeSlot } from '#database/slots.ts'
import { invalid, tooMany } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { isDatabaseGone } from '#lib/faults.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { type Actor, requirePermission } from '#access/permissions.ts'
import { reauthorize } from '#access/session.ts'
import { createdBefore, createdEarlier } from '#ledger/idempotency.ts'
import type { Assist } from '#ledger/provenance.ts'
import { assets } from '#store/assets'
import { media } from '#store/media'
import { addressIn, checkSelection, describedIn, idIn } from './checkSelection.ts'
import { resolveCharacterIds } from './resolveCharacters.ts'
import { fetchPicture } from './previews.ts'
import { resolveTagIds } from './resolveTags.ts'

/** Fetches an image, stores it as an asset of the actor and returns its id. Set by app.ts, which knows the assets. */
let imageStore: (fetchImage: () => Promise<Buffer>, filename: string, actor: Actor) => Promise<string>
export const setImageStore = (use: typeof imageStore): void => void (imageStore = use)

/** Maximum number of covers fetched for one media item. */
const MAX_IMAGES = 10
/** How long fetching a selected image may take, in milliseconds. */
const FETCH_TIMEOUT_MS = 20_000
/** How many images may be fetched for a user at the same time, since each is held in memory. */
const MAX_FETCHES = 2

/**
 * Creates a media item from selected suggestions, with the characters and tags that do not exist yet, all or nothing.
 * The ledger requires the permission to create each of them. Omitted fields get the defaults of 'Add New Media'. If the
 * same request has created one before, returns only its id.
 */
export async function createMedia(
  selected: SelectedMedia,
  { actor, assists, key }: { actor: Actor; assists?: Assist[]; key?: string | undefined },
): Promise<string> {
  const input = inputOf(selected)
  const source = { origin: 'ai', batch: newId(), ...(assists && { assists }) } as const
  const known = await createdEarlier(db, 'Media', { actor, key })
  if (known !== undefined) return known
  await checkSelection(selected)
  const covers = await fetchCovers(selected, actor)
  const id = newId()
  try {
    const created = await transaction(async (tx) => {
      const earlier = await createdBefore(tx, 'Media', { actor, key }, id)
      if (earlier !== undefined) return earlier
      // Fetching takes long: the account may have been deactivated meanwhile, or have lost permissions.
      const context: WriteContext = { ...source, actor: await reauthorize(tx, actor) }
      const characters = await resolveCharacterIds(tx, selected.characters, context, (one) => covers.idFor(one))
      const tags = await resolveTagIds(tx, selected.tags, context, 'GENRE')
      const cover = covers.idFor(selected)
      await media.createIn(tx, id, { ...input, characters, tags, cover }, context)
      return id
    })
    if (created !== id) await covers.dropAll()
    return created
  } catch (error) {
    // If the connection was lost, the media item may have been created.
    if (!isDatabaseGone(error)) await covers.dropAll()
    throw error
  }
}

/** Validates like every other write. Fills in defaults only for the required fields that are missing. */
function inputOf({ characters: _, tags: __, cover: ___, ...selected }: SelectedMedia): MediaInput {
  const { mediaType, isOngoing, releaseDate } = newMedia(now())
  const said = Object.fromEntries(Object.entries(selected).filter(([, value]) => value !== undefined))
  const input = { mediaType, isOngoing, releaseDate, ...said }
  const parsed = MediaInput.safeParse(input)
  return parsed.success ? parsed.data : invalid(toFieldErrors(parsed.error, input))
}

/**
 * Fetches covers given as URLs, like uploads by the actor, and returns the asset id of each cover. Throws 429 if too many
 * are being fetched for the actor.
 */
async function fetchCovers(selected: SelectedMedia, actor: Actor) {
  const idByUrl = new Map<string, string>()
  const dropAll = async (): Promise<void> => {
    for (const id of idByUrl.values()) await assets.remove(id, { actor, verdict: { allowed: true }, quiet: true })
  }
  const urls = new Set([selected, ...describedIn(selected)].map(({ cover }) => addressIn(cover)).filter(Boolean))
  const message = reasonText('picturesMany', { limit: MAX_IMAGES })
  if (urls.size > MAX_IMAGES) invalid([{ path: 'characters', message }])
  if (urls.size > 0) {
    // The ledger checks it, too, but nothing is fetched in vain.
    requirePermission(actor, 'create', 'Asset')
    const leave = (await takeSlot(`covers ${actor._id}`, MAX_FETCHES)) ?? tooMany(FETCH_TIMEOUT_MS / 1000)
    try {
      for (const url of urls) {
        const fetchImage = () => fetchPicture(url, AbortSignal.timeout(FETCH_TIMEOUT_MS))
        idByUrl.set(url, await imageStore(fetchImage, nameIn(url), actor))
      }
    } catch (error) {
      await dropAll()
      throw error
    } finally {
      leave()
    }
  }
  return { idFor: ({ cover }: Pick<SelectedMedia, 'cover'>) => idByUrl.get(addressIn(cover)) ?? idIn(cover), dropAll }
}

/** The last path segment of a URL, decoded; unchanged if it is not validly percent-encoded. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) || 'cover'
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
