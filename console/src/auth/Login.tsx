import type { Login as Credentials } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { messageOf, sentenceOf, serverMessage } from '#i18n/errors.ts'
import { token } from '#api/session.ts'
import { signIn, useUnconfirmedSignOut } from '#api/signIn.ts'
import { useMessages } from '#i18n/messages.ts'
import { isExpired } from '#lib/token.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField, TextField } from '#ui/Field.tsx'
import { useTitle } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import { Banner, Notice } from './Banner.tsx'
import { SignInLayout } from './SignInLayout.tsx'
import css from './SignInLayout.module.css'

const load = () => import('./credentials.ts')
/** Loaded on the first keystroke: the form can be shown without it. */
const check: Resolver<Credentials> = async (...entered) => (await load()).checkCredentials(...entered)

/** By the clock of this device, the new session is over: the next start of the console will end it. */
async function warnOfClock() {
  const { clock } = (await import('./texts.ts')).texts.get()
  toast.error(clock.title, clock.hint)
}

export function Login() {
  const { app, errors, login } = useMessages()
  useTitle(app)
  const isUnconfirmed = useUnconfirmedSignOut()
  const [banner, setBanner] = useState<string>()
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: check,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: { email: '', password: '' },
  })
  useEffect(() => setFocus('email'), [setFocus])
  const fault = (name: 'email' | 'password') => {
    const message = formState.errors[name]?.message
    return message && sentenceOf({ message })
  }
  // Signing in changes the session, and the route then redirects.
  const submit = handleSubmit(async (credentials) => {
    setBanner(undefined)
    try {
      await signIn(credentials)
      if (isExpired(token.get() ?? '')) await warnOfClock()
    } catch (error) {
      const isExplained = error instanceof ApiError && (error.status === 0 || error.code === 'internal')
      setBanner(isExplained ? messageOf(error) : (serverMessage(error) ?? login.failed))
    }
  })
  return (
    <SignInLayout title={login.title} subtitle={login.subtitle}>
      <form
        noValidate
        className={css.form}
        // If loading fails now, the first submit tries again.
        onInput={() => void load().catch(() => undefined)}
        onSubmit={(event) => void submit(event).catch(() => setBanner(errors.network))}
      >
        {isUnconfirmed && <Notice>{login.unconfirmed}</Notice>}
        <Banner>{banner}</Banner>
        <TextField
          {...register('email')}
          label={login.email}
          type="email"
          autoComplete="username"
          error={fault('email')}
        />
        <PasswordField
          {...register('password')}
          label={login.password}
          autoComplete="current-password"
          error={fault('password')}
        />
        <Button type="submit" variant="primary" size="large" busy={formState.isSubmitting}>
          {formState.isSubmitting ? login.submitting : login.submit}
        </Button>
        <Link to="/forgot-password" className={css.aside}>
          {login.forgot}
        </Link>
      </form>
    </SignInLayout>
  )
}
