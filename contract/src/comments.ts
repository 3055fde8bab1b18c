import * as z from 'zod/mini'
import { Id, idsParam, page, SuccessResponse, text } from './common.ts'
import { SENTENCES } from './faults.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post, put } from './route.ts'

/** How long a comment may be, in characters. */
export const MAX_COMMENT_CHARS = 2000
/** How many comments an entity may have, and how many a user may write in 24 hours. */
export const [MAX_COMMENTS, MAX_DAILY_COMMENTS] = [1000, 500]
/** How many users one comment may mention. */
export const MAX_MENTIONS = 20
/** How many entities the open comments of a page are counted of at once. */
export const MAX_COUNTED_IDS = 100

const CommentText = text(MAX_COMMENT_CHARS).check(z.trim(), z.minLength(1, SENTENCES.commentRequired))

export const CommentInput = z.strictObject({
  entityType: z.enum(TRANSLATED_KINDS),
  entityId: Id,
  /** `@username` mentions somebody. */
  text: CommentText,
})
export type CommentInput = z.output<typeof CommentInput>

/** Either or both. */
export const CommentChange = z.strictObject({ text: z.optional(CommentText), resolved: z.optional(z.boolean()) })
export type CommentChange = z.output<typeof CommentChange>

const Person = z.object({ _id: z.string(), username: z.string(), avatar: z.string() })

/** What somebody says about an entity. */
export const Comment = z.object({
  _id: z.string(),
  entityType: z.enum(TRANSLATED_KINDS),
  entityId: z.string(),
  text: z.string(),
  /** Whom the text mentions. */
  mentions: z.array(z.object({ _id: z.string(), username: z.string() })),
  /** Its username is empty when the account is deleted for good. */
  author: Person,
  createdAt: z.string(),
  /** When the text was changed; null when it never was. */
  editedAt: z.nullable(z.string()),
  /** Null while it is open. */
  resolvedAt: z.nullable(z.string()),
  resolvedBy: z.nullable(Person),
  /** Whether who asks may change the text, resolve or reopen it, and delete it. */
  canEdit: z.boolean(),
  canResolve: z.boolean(),
  canDelete: z.boolean(),
})
export type Comment = z.output<typeof Comment>

/** How many open comments an entity has. */
export const CommentCount = z.object({ entityId: z.string(), open: z.number() })
export type CommentCount = z.output<typeof CommentCount>

export const commentsApi = {
  /** The comments on an entity, oldest first. */
  list: get('/api/comments', {
    query: z.strictObject({
      entityType: z.enum(TRANSLATED_KINDS),
      entityId: Id,
      state: z._default(z.enum(['open', 'resolved', 'all']), 'all'),
      ...page(50),
    }),
    response: z.object({ data: z.array(Comment) }),
    counted: true,
    cached: true,
  }),
  /** The open comments of each of some entities of a kind; those without any are left out. */
  counts: get('/api/comments/counts', {
    query: z.strictObject({ entityType: z.enum(TRANSLATED_KINDS), ids: idsParam(MAX_COUNTED_IDS) }),
    response: z.object({ data: z.array(CommentCount) }),
    cached: true,
  }),
  /** By anybody who is signed in. */
  create: post('/api/comments', { body: CommentInput, response: Comment, status: 201 }),
  /** The text by its author; open or resolved also by who may edit the entity. */
  update: put('/api/comments/:id', { body: CommentChange, response: Comment }),
  /** By its author, moderators and administrators. */
  remove: del('/api/comments/:id', { response: SuccessResponse }),
}
