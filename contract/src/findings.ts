import * as z from 'zod/mini'
import { Id, idsParam, LanguageTag, Moment, SuccessResponse, text, WholeNumber } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post } from './route.ts'

/** The codes of all findings. Those that depend on one document (`OwnFinding`) have their check in `findings/`. */
export const FINDING_CODES = [
  'missing',
  'copied',
  'script',
  'latinOnly',
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

/** Findings that depend on other entities too, and not on the document alone. */
export const RELATED_FINDINGS = ['duplicate', 'brokenLink'] as const satisfies FindingCode[]
type RelatedFinding = (typeof RELATED_FINDINGS)[number]
/** Findings that depend on the entity's own document only. */
export type OwnFinding = Exclude<FindingCode, RelatedFinding>
export const isRelatedFinding = (code: FindingCode): code is RelatedFinding =>
  RELATED_FINDINGS.some((each) => each === code)

/** The checks that are enabled by default: those with a precision of 90 % or more (docs/findings.md). */
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

/** The subject of a finding. `language` and `field` are absent if it concerns the entity as a whole. */
const subject = {
  code: z.enum(FINDING_CODES),
  language: z.optional(z.string()),
  field: z.optional(z.string()),
}

/** The number of entities with a finding. */
export const FindingCount = z.object({ ...subject, count: WholeNumber })
export type FindingCount = z.output<typeof FindingCount>

/** A link to an asset that is in the trash, gone, or could not be processed; `filename` is '' if it is unknown. */
export const BrokenLink = z.object({
  field: z.string(),
  _id: z.string(),
  filename: z.string(),
  state: z.enum(['trash', 'gone', 'failed']),
})
export type BrokenLink = z.output<typeof BrokenLink>

/** A finding of one entity; `since` is when it was first found. `links`: the broken links, for `brokenLink` only. */
export const Finding = z.object({ ...subject, since: z.string(), links: z.optional(z.array(BrokenLink)) })
export type Finding = z.output<typeof Finding>

/** A dismissed finding: who dismissed it, and when. */
export const Dismissal = z.object({ ...subject, username: z.string(), createdAt: Moment })
export type Dismissal = z.output<typeof Dismissal>

/** A dismissal of a finding, or its undoing. `userId` is '' for the server itself. */
export const FindingDecision = z.object({
  ...subject,
  _id: z.string(),
  isDismissed: z.boolean(),
  userId: z.string(),
  username: z.string(),
  createdAt: Moment,
})
export type FindingDecision = z.output<typeof FindingDecision>

export const FindingQuery = z.object({
  entityType: z.enum(TRANSLATED_KINDS),
  code: z.optional(z.enum(FINDING_CODES)),
  language: z.optional(LanguageTag),
})

/** The maximum number of entities in one call of `marks`. */
export const MAX_MARKED_IDS = 100

/** A finding of an entity; `language` is the one that it concerns, '' for none. */
export const LanguageMark = z.object({ entityId: z.string(), code: z.enum(FINDING_CODES), language: z.string() })
export type LanguageMark = z.output<typeof LanguageMark>

/** The findings of one entity with this code, and with this language and field if they are given. */
export const FindingTarget = z.strictObject({
  entityId: Id,
  code: z.enum(FINDING_CODES),
  language: z.optional(LanguageTag),
  field: z.optional(Field),
})
export type FindingTarget = z.output<typeof FindingTarget>

export const findingsApi = {
  /** The number of entities with each finding. `progress` is present while the catalogue is checked with new rules. */
  list: get('/api/findings', {
    query: FindingQuery,
    response: z.object({
      data: z.array(FindingCount),
      progress: z.optional(z.object({ done: WholeNumber, total: WholeNumber })),
    }),
    cached: true,
  }),
  /**
   * The findings that concern a language, for the given entities, such as those on a page of a list; with a code, all
   * findings with this code instead.
   */
  marks: get('/api/findings/marks', {
    query: z.object({
      entityType: z.enum(TRANSLATED_KINDS),
      ids: idsParam(MAX_MARKED_IDS),
      code: z.optional(z.enum(FINDING_CODES)),
    }),
    response: z.object({ data: z.array(LanguageMark) }),
    cached: true,
  }),
  /** The open findings of an entity, and the dismissed ones. */
  find: get('/api/findings/:id', {
    response: z.object({ data: z.array(Finding), dismissed: z.array(Dismissal) }),
    cached: true,
  }),
  /** Who dismissed findings of an entity or undid that, newest first, the last 500; also of findings that are gone. */
  decisions: get('/api/findings/:id/decisions', { response: z.object({ data: z.array(FindingDecision) }) }),
  /** Dismisses a finding for as long as its text does not change. */
  dismiss: post('/api/findings/dismiss', { body: FindingTarget, response: SuccessResponse }),
  /** Undoes a dismissal. */
  undismiss: del('/api/findings/dismiss', {
    /** The same fields as for `dismiss`, in the query or in the body. */
    query: z.partial(z.object(FindingTarget.shape)),
    body: z.optional(z.partial(FindingTarget)),
    response: SuccessResponse,
  }),
}
