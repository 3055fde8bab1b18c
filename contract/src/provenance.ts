import * as z from 'zod/mini'

export const PROVIDERS = ['model', 'reference', 'search'] as const

export const AiSource = z.object({ name: z.string(), url: z.optional(z.string()), licence: z.optional(z.string()) })
export type AiSource = z.output<typeof AiSource>

/** A source that could not be asked, and why, in a sentence for the user. */
export const UnavailableSource = z.object({ name: z.string(), code: z.string(), message: z.string() })
export type UnavailableSource = z.output<typeof UnavailableSource>

/** Where an answer of AI comes from. */
export const AiRun = z.object({
  _id: z.string(),
  /** A model; reference data, which is no model; or another AI search service. */
  provider: z.enum(PROVIDERS),
  /** The name of the model, or of what answered in its place. */
  model: z.string(),
  /** The name and version of the instructions, such as `media/1`; '' where there were none. */
  prompt: z.string(),
  sources: z.array(AiSource),
  startedAt: z.string(),
  milliseconds: z.number(),
  /** What it cost. Estimated where the endpoint does not say. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  isEstimate: z.boolean(),
})
export type AiRun = z.output<typeof AiRun>

/** Which part of a write came from AI: `paths` are fields and texts, such as `translations.ja.title`. */
export const Provenance = z.object({ ...AiRun.shape, paths: z.array(z.string()) })
export type Provenance = z.output<typeof Provenance>
