import type { Kind } from '@mokuroku/contract/kinds'
import { assets } from '#store/assets'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { settings } from '#store/settings'
import { tags } from '#store/tags'
import { tiers } from '#store/tiers'
import { users } from '#store/users'

/**
 * Every kind. Importing a store registers its kind, so whoever needs all definitions of the registry imports this file.
 */
export const registeredKinds = Object.keys({
  Media: media,
  Character: characters,
  Tag: tags,
  Asset: assets,
  Rating: ratings,
  User: users,
  Tier: tiers,
  Setting: settings,
} satisfies Record<Kind, object>) as Kind[]
