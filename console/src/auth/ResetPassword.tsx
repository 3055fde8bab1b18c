import { zodResolver } from '@hookform/resolvers/zod'
import { authApi, ResetPassword as Reset } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '#api/call.ts'
import { messageOf, sentenceOf } from '#i18n/errors.ts'
import { isUncertain } from '#lib/errorStatus.ts'
import { session } from '#api/session.ts'
import { signOut } from '#api/signIn.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { useTitle } from '#ui/Page.tsx'
import { Banner } from './Banner.tsx'
import { Outcome } from './Outcome.tsx'
import { SignInLayout } from './SignInLayout.tsx'
import css from './SignInLayout.module.css'
import { texts as area } from './texts.ts'

/** Sets a new password, from the link in a password reset email. */
export function ResetPassword() {
  const { reset } = area.use()
  return (
    <PasswordByLink texts={reset}>
      <Link to="/forgot-password" className={buttonClass({ variant: 'primary', size: 'large' })}>
        {reset.again}
      </Link>
    </PasswordByLink>
  )
}

/** Chooses the first password, from the link in an invitation. */
export function AcceptInvitation() {
  const { invitation } = area.use()
  return (
    <PasswordByLink texts={invitation}>
      <Link to="/login" className={buttonClass({ size: 'large' })}>
        {invitation.signIn}
      </Link>
    </PasswordByLink>
  )
}

type Texts = Omit<ReturnType<typeof area.get>['invitation'], 'again'>

/**
 * The token is in the URL fragment, which neither servers nor proxies see or log. `children` are shown if the link is
 * no longer valid.
 */
function PasswordByLink({ texts: reset, children: again }: { texts: Texts; children: ReactNode }) {
  useTitle(reset.title)
  const token = new URLSearchParams(useLocation().hash).get('token') ?? ''
  const { lost } = area.use()
  const [end, setEnd] = useState<'done' | 'lost' | 'over'>()
  if (end === 'done' || end === 'lost') {
    return (
      <Outcome {...(end === 'lost' ? lost : { title: reset.done, message: reset.doneHint })}>
        <Link to="/login" className={buttonClass({ variant: 'primary', size: 'large' })}>
          {reset.signIn}
        </Link>
      </Outcome>
    )
  }
  if (end === 'over') {
    return (
      <Outcome title={reset.over} message={reset.overHint}>
        {again}
      </Outcome>
    )
  }
  if (!token) {
    return (
      <Outcome title={reset.incomplete} message={reset.incompleteHint}>
        {again}
      </Outcome>
    )
  }
  return (
    <SignInLayout title={reset.title} subtitle={reset.hint}>
      <Choose texts={reset} token={token} onEnd={setEnd} />
    </SignInLayout>
  )
}

interface ChooseProps {
  texts: Texts
  token: string
  /** `lost`: the link was used by an earlier attempt, of which no response came. */
  onEnd: (end: 'done' | 'lost' | 'over') => void
}

function Choose({ texts: reset, token, onEnd }: ChooseProps) {
  const { forgot } = area.use()
  const [banner, setBanner] = useState<string>()
  // A response was lost.
  const [isUnsure, setUnsure] = useState(false)
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: zodResolver(Reset),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: { token, password: '' },
  })
  useEffect(() => setFocus('password'), [setFocus])
  const message = formState.errors.password?.message
  const submit = handleSubmit(async ({ password }) => {
    setBanner(undefined)
    try {
      await call(authApi.resetPassword, { body: { token, password } })
      // The link does not say whose account it is, and the user will want to sign in with the new password: sign out.
      if (session.get().state === 'in') signOut()
      onEnd('done')
    } catch (error) {
      if (error instanceof ApiError && error.code === 'link') onEnd(isUnsure ? 'lost' : 'over')
      else setBanner(messageOf(error))
      if (isUncertain(error)) setUnsure(true)
    }
  })
  return (
    <form noValidate className={css.form} onSubmit={(event) => void submit(event)}>
      <Banner>{banner}</Banner>
      <PasswordField
        {...register('password')}
        label={reset.password}
        autoComplete="new-password"
        error={message && sentenceOf({ message })}
      />
      <Button type="submit" variant="primary" size="large" busy={formState.isSubmitting}>
        {formState.isSubmitting ? reset.submitting : reset.submit}
      </Button>
      <Link to="/login" className={css.aside}>
        {forgot.back}
      </Link>
    </form>
  )
}
