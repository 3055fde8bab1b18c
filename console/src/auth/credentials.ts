import { zodResolver } from '@hookform/resolvers/zod'
import { Login } from '@mokuroku/contract/auth'

/** Checks what was entered to sign in. */
export const checkCredentials = zodResolver(Login)
