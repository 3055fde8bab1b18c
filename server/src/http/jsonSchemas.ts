// The schemas of the contract as JSON Schema. Those that the contract exports have a name, and are described once.
import * as ai from '@mokuroku/contract/ai'
import * as assets from '@mokuroku/contract/assets'
import * as audit from '@mokuroku/contract/audit'
import * as auth from '@mokuroku/contract/auth'
import * as batches from '@mokuroku/contract/batches'
import * as bulk from '@mokuroku/contract/bulk'
import * as characters from '@mokuroku/contract/characters'
import * as comments from '@mokuroku/contract/comments'
import * as common from '@mokuroku/contract/common'
import * as dashboard from '@mokuroku/contract/dashboard'
import * as findings from '@mokuroku/contract/findings'
import * as history from '@mokuroku/contract/history'
import * as imports from '@mokuroku/contract/imports'
import * as invitations from '@mokuroku/contract/invitations'
import * as jobs from '@mokuroku/contract/jobs'
import * as languages from '@mokuroku/contract/languages'
import * as media from '@mokuroku/contract/media'
import * as merges from '@mokuroku/contract/merges'
import * as notifications from '@mokuroku/contract/notifications'
import * as preferences from '@mokuroku/contract/preferences'
import * as provenance from '@mokuroku/contract/provenance'
import * as ratings from '@mokuroku/contract/ratings'
import * as revisions from '@mokuroku/contract/revisions'
import * as search from '@mokuroku/contract/search'
import * as selection from '@mokuroku/contract/selection'
import * as settings from '@mokuroku/contract/settings'
import * as site from '@mokuroku/contract/site'
import * as suggestion from '@mokuroku/contract/suggestion'
import * as tags from '@mokuroku/contract/tags'
import * as tiers from '@mokuroku/contract/tiers'
import * as trash from '@mokuroku/contract/trash'
import * as users from '@mokuroku/contract/users'
import * as uses from '@mokuroku/contract/uses'
import * as views from '@mokuroku/contract/views'
import * as work from '@mokuroku/contract/work'
import * as z from 'zod/mini'
import { SCHEMAS } from './openapiTexts.ts'

export type Json = Record<string, unknown>
type Direction = 'input' | 'output'
type Definitions = Record<string, Json>

const AREAS: Record<string, unknown>[] = [
  ai,
  assets,
  audit,
  auth,
  batches,
  bulk,
  characters,
  comments,
  common,
  dashboard,
  findings,
  history,
  imports,
  invitations,
  jobs,
  languages,
  media,
  merges,
  notifications,
  preferences,
  provenance,
  ratings,
  revisions,
  search,
  selection,
  settings,
  site,
  suggestion,
  tags,
  tiers,
  trash,
  users,
  uses,
  views,
  work,
]

/** What is added to the descriptions of schemas; those with an id are described once, and referred to by it. */
const named = z.registry<{ id?: string; description?: string | undefined; [keyword: string]: unknown }>()

/**
 * Gives schemas the names by which they are described. Queries and forms get none, since their fields are described one
 * by one.
 */
export function nameSchemas(values: Record<string, unknown>): void {
  for (const [id, value] of Object.entries(values))
    if (isSchema(value) && !/(Query|Form)$/.test(id)) named.add(value, { id, description: SCHEMAS[id] })
}
for (const area of AREAS) nameSchemas(area)
// Responses are only checked to have a text or a number there; their description says which.
named.add(common.Moment, { format: 'date-time' })
named.add(common.WholeNumber, { type: 'integer', minimum: 0 })

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value
}

/** A schema of the contract as JSON Schema: of what it accepts, or of what it returns. */
export function schemaOf(schema: z.ZodMiniType, io: Direction): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

/** Schemas that return a normalized text of what they accept, about which zod says nothing. */
const NORMALIZED = ['LanguageTag', 'Timestamp']

/**
 * Describes schemas together. `of` returns one of them, in which named ones are references to `definitions`. A schema
 * that accepts something else than it returns is there twice; the one of what it accepts then ends with `Input`.
 */
export function jsonSchemas(schemas: Record<Direction, (z.ZodMiniType | undefined)[]>) {
  const [input, output] = [described(schemas.input, 'input'), described(schemas.output, 'output')]
  for (const name of NORMALIZED)
    if (name in output.definitions) output.definitions[name] = input.definitions[name] ?? {}
  const renamed = differing(input.definitions, output.definitions)
  const inputName = (name: string) => (renamed.has(name) && !name.endsWith('Input') ? `${name}Input` : name)
  const definitions = pointed(output.definitions, (name) => name)
  for (const [name, definition] of Object.entries(pointed(input.definitions, inputName))) {
    const free = inputName(name)
    if (free in input.definitions && free !== name) throw new Error(`Two schemas are named ${free}`)
    definitions[free] = definition
  }
  const found = {
    input: new Map(schemas.input.map((schema, at) => [schema, pointed(input.roots[at] ?? {}, inputName)])),
    output: new Map(schemas.output.map((schema, at) => [schema, pointed(output.roots[at] ?? {}, (name) => name)])),
  }
  return {
    definitions,
    of: (schema: z.ZodMiniType, io: Direction): Json => found[io].get(schema) ?? {},
  }
}

/** Converts schemas at once, as the fields of an object, so that none of them is the root, which is not referenced. */
function described(schemas: (z.ZodMiniType | undefined)[], io: Direction): { roots: Json[]; definitions: Definitions } {
  const shape = Object.fromEntries(schemas.map((schema, at) => [at, schema ?? z.unknown()]))
  const { properties, $defs } = z.toJSONSchema(z.object(shape), { io, unrepresentable: 'any', metadata: named })
  const definitions = Object.entries(($defs ?? {}) as Definitions).map(([name, { id: _, ...rest }]) => [name, rest])
  return {
    roots: schemas.map((_, at) => (properties?.[at] ?? {}) as Json),
    definitions: Object.fromEntries(definitions) as Definitions,
  }
}

const POINTER = '#/$defs/'
const nameIn = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** The names of definitions that differ, or that refer to one that does. */
function differing(some: Definitions, others: Definitions): Set<string> {
  const shared = Object.keys(some).filter((name) => name in others)
  const found = new Set(shared.filter((name) => JSON.stringify(some[name]) !== JSON.stringify(others[name])))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const name of shared) if (pointersIn(some[name]).some((each) => found.has(each))) found.add(name)
  }
  return found
}

const pointersIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name = '']) => name)

/** The same schemas, with references to the components of the description. */
const pointed = <Schema extends Json>(schema: Schema, nameOf: (name: string) => string): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(POINTER)
      ? `#/components/schemas/${nameOf(nameIn(value))}`
      : value,
  ) as Schema
