import { zodResolver } from '@hookform/resolvers/zod'
import { authApi, ForgotPassword as Forgotten } from '@mokuroku/contract/auth'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '#api/call.ts'
import { messageOf, sentenceOf } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { TextField } from '#ui/Field.tsx'
import { useTitle } from '#ui/Page.tsx'
import { Banner } from './Banner.tsx'
import { Outcome } from './Outcome.tsx'
import { SignInLayout } from './SignInLayout.tsx'
import css from './SignInLayout.module.css'
import { texts as area } from './texts.ts'

export function ForgotPassword() {
  const { forgot } = area.use()
  useTitle(forgot.title)
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) return <Sent to={sentTo} onAgain={() => setSentTo(undefined)} />
  return (
    <SignInLayout title={forgot.title} subtitle={forgot.hint}>
      <Ask onSent={setSentTo} />
    </SignInLayout>
  )
}

function Ask({ onSent }: { onSent: (email: string) => void }) {
  const { forgot } = area.use()
  const language = useLanguage()
  const [banner, setBanner] = useState<string>()
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: zodResolver(Forgotten),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: { email: '' },
  })
  useEffect(() => setFocus('email'), [setFocus])
  const message = formState.errors.email?.message
  const submit = handleSubmit(async ({ email }) => {
    setBanner(undefined)
    try {
      await call(authApi.forgotPassword, { body: { email, language } })
      onSent(email)
    } catch (error) {
      setBanner(messageOf(error))
    }
  })
  return (
    <form noValidate className={css.form} onSubmit={(event) => void submit(event)}>
      <Banner>{banner}</Banner>
      <TextField
        {...register('email')}
        label={forgot.email}
        type="email"
        autoComplete="username"
        error={message && sentenceOf({ message })}
      />
      <Button type="submit" variant="primary" size="large" busy={formState.isSubmitting}>
        {formState.isSubmitting ? forgot.submitting : forgot.submit}
      </Button>
      <Link to="/login" className={css.aside}>
        {forgot.back}
      </Link>
    </form>
  )
}

/** The same whether or not the account exists: the server does not reveal it. */
function Sent({ to, onAgain }: { to: string; onAgain: () => void }) {
  const { forgot } = area.use()
  return (
    <Outcome title={forgot.sent} message={forgot.sentTo(to)}>
      <p>{forgot.nothing}</p>
      <Link to="/login" className={buttonClass({ variant: 'default', size: 'large' })}>
        {forgot.back}
      </Link>
      <Button variant="quiet" onClick={onAgain}>
        {forgot.again}
      </Button>
    </Outcome>
  )
}
