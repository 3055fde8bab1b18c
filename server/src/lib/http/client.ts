import type { FastifyRequest } from 'fastify'

/** Where a call comes from. */
export interface Client {
  address: string
  userAgent: string
}

export const clientOf = ({ ip, headers }: FastifyRequest): Client => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, 300),
})
