import * as z from 'zod/mini'
import { Id, idsParam, Moment, page, SuccessResponse, text, WholeNumber } from './common.ts'
import { SENTENCES } from './faults.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post, put } from './route.ts'

/** The maximum length of a comment, in characters. */
export const MAX_COMMENT_CHARS = 2000
/** The maximum number of comments per entity, and per user and day (UTC), including deleted ones. */
export const [MAX_COMMENTS, MAX_DAILY_COMMENTS] = [1000, 500]
/** The maximum number of users that one comment can mention. */
export const MAX_MENTIONS = 20
/** The maximum number of entities whose open comments one call counts. */
const MAX_COUNTED_IDS = 100

const CommentText = text(MAX_COMMENT_CHARS).check(z.trim(), z.minLength(1, SENTENCES.commentRequired))

export const CommentInput = z.strictObject({
  entityType: z.enum(TRANSLATED_KINDS),
  entityId: Id,
  /** `@username` mentions somebody. */
  text: CommentText,
})
export type CommentInput = z.output<typeof CommentInput>

/** Changes the text, the state, or both. */
export const CommentChange = z.strictObject({ text: z.optional(CommentText), resolved: z.optional(z.boolean()) })
export type CommentChange = z.output<typeof CommentChange>

const Person = z.object({ _id: z.string(), username: z.string(), avatar: z.string() })

/** A comment on an entity. */
export const Comment = z.object({
  _id: z.string(),
  entityType: z.enum(TRANSLATED_KINDS),
  entityId: z.string(),
  text: z.string(),
  /** Counts the changes to the text, to which If-Match refers: resolving and reopening do not change it. */
  version: WholeNumber,
  /** The users that the text mentions. */
  mentions: z.array(z.object({ _id: z.string(), username: z.string() })),
  /** The username is empty once the account has been deleted permanently. */
  author: Person,
  createdAt: Moment,
  /** When the text was last changed; null if it never was. */
  editedAt: z.nullable(Moment),
  /** Null while it is open. */
  resolvedAt: z.nullable(Moment),
  resolvedBy: z.nullable(Person),
  /** Whether the caller may change the text, resolve or reopen the comment, and delete it. */
  canEdit: z.boolean(),
  canResolve: z.boolean(),
  canDelete: z.boolean(),
})
export type Comment = z.output<typeof Comment>

/** The number of open comments of an entity. */
export const CommentCount = z.object({ entityId: z.string(), open: WholeNumber })
export type CommentCount = z.output<typeof CommentCount>

export const commentsApi = {
  /** The comments on an entity, oldest first, or with `-createdAt` newest first. */
  list: get('/api/comments', {
    query: z.strictObject({
      entityType: z.enum(TRANSLATED_KINDS),
      entityId: Id,
      state: z._default(z.enum(['open', 'resolved', 'all']), 'all'),
      sort: z._default(z.enum(['createdAt', '-createdAt']), 'createdAt'),
      ...page(50),
    }),
    response: z.object({ data: z.array(Comment) }),
    counted: true,
    cached: true,
  }),
  /** The number of open comments of each given entity; entities without any are omitted. */
  counts: get('/api/comments/counts', {
    query: z.strictObject({ entityType: z.enum(TRANSLATED_KINDS), ids: idsParam(MAX_COUNTED_IDS) }),
    response: z.object({ data: z.array(CommentCount) }),
    cached: true,
  }),
  /** For every signed-in user. */
  create: post('/api/comments', { body: CommentInput, response: Comment, status: 201, idempotent: true }),
  /** The author may change the text; the author and users who may edit the entity may resolve and reopen it. */
  update: put('/api/comments/:id', { body: CommentChange, response: Comment, versioned: true }),
  /** For the author, moderators and administrators. */
  remove: del('/api/comments/:id', { response: SuccessResponse }),
}
