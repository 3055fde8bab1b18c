import { zodResolver } from '@hookform/resolvers/zod'
import { Login } from '@mokuroku/contract/auth'

/** Validates the sign-in form. */
export const checkCredentials = zodResolver(Login)
