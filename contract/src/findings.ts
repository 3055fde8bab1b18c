import * as z from 'zod/mini'
import { Id, idsParam, LanguageTag, SuccessResponse, text } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post } from './route.ts'

/** What checks find. Each has its function in `findings/`. */
export const FINDING_CODES = [
  'missing',
  'copied',
  'script',
  'mixed',
  'spaces',
  'brackets',
  'ellipsis',
  'placeholder',
  'season',
  'noCover',
  'noTags',
  'noDescription',
  'noCharacters',
  'futureCompleted',
  'duplicate',
  'brokenLink',
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

/** What no document says alone: these depend on other entities, too. */
export const RELATED_FINDINGS = ['duplicate', 'brokenLink'] as const satisfies FindingCode[]
type RelatedFinding = (typeof RELATED_FINDINGS)[number]
/** What the document of an entity says. */
export type OwnFinding = Exclude<FindingCode, RelatedFinding>
export const isRelatedFinding = (code: FindingCode): code is RelatedFinding =>
  RELATED_FINDINGS.some((each) => each === code)

/** The checks that are on until the settings say otherwise: those that are right in nine of ten cases (docs/findings.md). */
export const DEFAULT_FINDINGS: readonly FindingCode[] = [
  'missing',
  'copied',
  'script',
  'mixed',
  'noCover',
  'noTags',
  'noDescription',
  'duplicate',
  'brokenLink',
]

const Field = text(64)

/** What a finding is about. `language` and `field` are absent where it is about the entity as a whole. */
const subject = {
  code: z.enum(FINDING_CODES),
  language: z.optional(z.string()),
  field: z.optional(z.string()),
}

/** How many entities have a finding. */
export const FindingCount = z.object({ ...subject, count: z.number() })
export type FindingCount = z.output<typeof FindingCount>

/** A link to a file that is in the trash, gone, or could not be processed; `filename` is '' where nothing is known of it. */
export const BrokenLink = z.object({
  field: z.string(),
  _id: z.string(),
  filename: z.string(),
  state: z.enum(['trash', 'gone', 'failed']),
})
export type BrokenLink = z.output<typeof BrokenLink>

/** A finding of one entity; `since` is when it was first found. `links` are those that `brokenLink` is about. */
export const Finding = z.object({ ...subject, since: z.string(), links: z.optional(z.array(BrokenLink)) })
export type Finding = z.output<typeof Finding>

/** A finding that somebody called no problem. */
export const Dismissal = z.object({ ...subject, username: z.string(), createdAt: z.string() })
export type Dismissal = z.output<typeof Dismissal>

/** That somebody called findings of an entity no problem, or took it back. `userId` is '' for the product itself. */
export const FindingDecision = z.object({
  ...subject,
  _id: z.string(),
  isDismissed: z.boolean(),
  userId: z.string(),
  username: z.string(),
  createdAt: z.string(),
})
export type FindingDecision = z.output<typeof FindingDecision>

export const FindingQuery = z.object({
  entityType: z.enum(TRANSLATED_KINDS),
  code: z.optional(z.enum(FINDING_CODES)),
  language: z.optional(LanguageTag),
})

/** How many entities the findings of a page are asked of at once. */
export const MAX_MARKED_IDS = 100

/** That an entity has a finding about a language. */
export const LanguageMark = z.object({ entityId: z.string(), code: z.enum(FINDING_CODES), language: z.string() })
export type LanguageMark = z.output<typeof LanguageMark>

/** Findings of one entity: of a code, and where they are given of a language and a field alone. */
export const FindingTarget = z.strictObject({
  entityId: Id,
  code: z.enum(FINDING_CODES),
  language: z.optional(LanguageTag),
  field: z.optional(Field),
})
export type FindingTarget = z.output<typeof FindingTarget>

export const findingsApi = {
  /** How many entities of a kind have each finding. `progress` is there while not all are checked by the present rules. */
  list: get('/api/findings', {
    query: FindingQuery,
    response: z.object({
      data: z.array(FindingCount),
      progress: z.optional(z.object({ done: z.number(), total: z.number() })),
    }),
    cached: true,
  }),
  /** The findings about a language of each of some entities of a kind, such as those on a page of a list. */
  marks: get('/api/findings/marks', {
    query: z.object({ entityType: z.enum(TRANSLATED_KINDS), ids: idsParam(MAX_MARKED_IDS) }),
    response: z.object({ data: z.array(LanguageMark) }),
    cached: true,
  }),
  /** The findings of an entity, and those that somebody called no problem. */
  find: get('/api/findings/:id', {
    response: z.object({ data: z.array(Finding), dismissed: z.array(Dismissal) }),
    cached: true,
  }),
  /** Who called what of an entity no problem, or took it back, and when: newest first, the last 500. Of what is gone, too. */
  decisions: get('/api/findings/:id/decisions', { response: z.object({ data: z.array(FindingDecision) }) }),
  /** Says that a finding is no problem, for as long as the text stays what it is. */
  dismiss: post('/api/findings/dismiss', { body: FindingTarget, response: SuccessResponse }),
  /** Takes that back. */
  undismiss: del('/api/findings/dismiss', {
    /** The same fields as `dismiss` takes, in the address or as the body. */
    query: z.partial(z.object(FindingTarget.shape)),
    body: z.optional(z.partial(FindingTarget)),
    response: SuccessResponse,
  }),
}
