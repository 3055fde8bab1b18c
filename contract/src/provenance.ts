import { Moment, WholeNumber } from './common.ts'
import * as z from 'zod/mini'

const PROVIDERS = ['model', 'reference', 'search'] as const

export const AiSource = z.object({ name: z.string(), url: z.optional(z.string()), licence: z.optional(z.string()) })
export type AiSource = z.output<typeof AiSource>

/** A source that could not be queried, and why, as a sentence for the user. */
export const UnavailableSource = z.object({ name: z.string(), code: z.string(), message: z.string() })
export type UnavailableSource = z.output<typeof UnavailableSource>

/** The provenance of an AI answer. */
export const AiRun = z.object({
  _id: z.string(),
  /** A model, the reference data (without a model), or an external AI search service. */
  provider: z.enum(PROVIDERS),
  /** The name of the model, or of what answered instead. */
  model: z.string(),
  /** The name and version of the prompt, such as `media/1`; '' if there was none. */
  prompt: z.string(),
  sources: z.array(AiSource),
  startedAt: Moment,
  milliseconds: WholeNumber,
  /** The tokens it used; estimated (`isEstimate`) if the endpoint does not report them. */
  inputTokens: WholeNumber,
  outputTokens: WholeNumber,
  isEstimate: z.boolean(),
})
export type AiRun = z.output<typeof AiRun>

/** Which parts of a write came from an AI answer: `paths` are fields and texts, such as `translations.ja.title`. */
export const Provenance = z.object({ ...AiRun.shape, paths: z.array(z.string()) })
export type Provenance = z.output<typeof Provenance>
