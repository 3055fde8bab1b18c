import { usersApi } from '@mokuroku/contract/users'
import { transaction } from '#database/db.ts'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { type Actor, atLeast, authorize } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { users } from '#store/users'
import { usesOfUser } from '#store/uses'

const find = async (id: string, actor: Actor) => (await users.find(id, actor)) ?? notFound('User')

export const userRoutes = serve(
  usersApi,
  {
    list: async ({ query, actor }) => {
      const { data, total } = await users.list(query, actor)
      return { success: true, data, total, pages: Math.ceil(total / query.limit) }
    },
    find: ({ id, actor }) => find(id, actor),
    create: async ({ body: { password, ...input }, actor }) => {
      await users.refuseWeakPassword(password, input)
      const passwordHash = await hashPassword(password)
      return find(await transaction((tx) => users.add(tx, input, passwordHash, { actor })), actor)
    },
    update: async ({ id, body, actor, base }) => {
      await users.change(id, body, { actor }, base)
      return find(id, actor)
    },
    remove: async ({ id, actor, base }) => {
      await users.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await users.restore(id, { actor })
      return find(id, actor)
    },
    uses: async ({ id, actor }) => usesOfUser((await find(id, actor))._id),
  },
  {
    create: authorize('create', 'User'),
    update: authorize('edit', 'User'),
    remove: authorize('delete', 'User'),
    restore: authorize('restore', 'User'),
    uses: atLeast('moderator'),
  },
)
