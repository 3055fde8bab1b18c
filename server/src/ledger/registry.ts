import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { EntityDefinition } from './definition.ts'

const definitions = new Map<Kind, EntityDefinition<Document>>()

export function register<Fields extends Document>(definition: EntityDefinition<Fields>): void {
  // The registry only passes rows of its own kind to a definition.
  definitions.set(definition.kind, definition as unknown as EntityDefinition<Document>)
}

/** The definition of a kind. Throws if nothing has imported its store. */
export function definitionOf(kind: Kind): EntityDefinition<Document> {
  const definition = definitions.get(kind)
  if (!definition) throw new Error(`${kind} is not registered: nothing has imported its store`)
  return definition
}

/** All definitions, in the order of the contract. */
export const allDefinitions = (): EntityDefinition<Document>[] => KINDS.map(definitionOf)
