import { authApi, type ProfileInput } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { type User, Username } from '@mokuroku/contract/users'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { queryClient, toastFailure } from '#api/queryClient.ts'
import { updateMe } from '#api/session.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { editorOf } from '#lib/areas.ts'
import { longDate, longDateTime } from '#lib/dates.ts'
import { Button } from '#ui/Button.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { TextField } from '#ui/Field.tsx'
import { Stack } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { Picture } from './Picture.tsx'
import css from './Profile.module.css'
import { texts as area } from './texts.ts'

/** Name and picture, which users change themselves, and the email address, which they cannot. */
export function Identity({ user }: { user: User }) {
  const texts = area.use()
  const { common } = useMessages()
  const language = useLanguage()
  const { register, handleSubmit, reset, setError, setValue, formState } = useForm({
    defaultValues: { username: user.username },
  })
  const [typed, setTyped] = useKeptState<string | undefined>('username', undefined)
  const save = useSaveProfile(user)
  // Another tab or an administrator may have changed the name; unsaved input is kept.
  useEffect(() => reset({ username: user.username }, { keepDirtyValues: true }), [reset, user.username])
  const restore = useEffectEvent(() => {
    if (typed !== undefined) setValue('username', typed, { shouldDirty: true })
  })
  useEffect(() => restore(), [])
  const submit = handleSubmit(async ({ username }) => {
    try {
      const saved = await save.mutateAsync({ username: username.trim() })
      reset({ username: saved.username })
      setTyped(undefined)
      toast.success(texts.saved)
    } catch (error) {
      if (isTaken(error)) setError('username', { message: texts.taken })
    }
  })
  // An administrator changes it in the editor of their account.
  const emailHint =
    user.role === 'admin' ? <Link to={editorOf('User', user._id)}>{texts.changeEmail}</Link> : texts.emailHint
  return (
    <Stack as="form" noValidate gap={4} className={css.form} onSubmit={(event) => void submit(event)}>
      <Picture user={user} onChange={(avatar) => save.mutateAsync({ avatar })} />
      <TextField
        {...register('username', {
          validate: (value) => Username.safeParse(value).success || texts.nameFault,
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value),
        })}
        label={texts.name}
        autoComplete="nickname"
        maxLength={60}
        readOnly={formState.isSubmitting}
        error={formState.errors.username?.message}
      />
      <TextField label={texts.email} type="email" value={user.email ?? ''} readOnly hint={emailHint} />
      <Facts>
        <Fact name={texts.since}>{longDate(user.createdAt, language)}</Fact>
        {user.lastLogin && <Fact name={texts.lastLogin}>{longDateTime(user.lastLogin, language)}</Fact>}
      </Facts>
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={formState.isSubmitting}
          reason={formState.isDirty ? undefined : common.unchanged}
        >
          {common.save}
        </Button>
      </div>
    </Stack>
  )
}

/** Saves changes, and updates every place where the user is shown. */
function useSaveProfile({ version }: User) {
  const texts = area.use()
  return useMutation({
    mutationFn: (body: ProfileInput) => call(authApi.updateProfile, { body, base: version }),
    meta: { quiet: true },
    onSuccess: (saved) => {
      queryClient.setQueryData(q(authApi.profile).queryKey, saved)
      updateMe({ username: saved.username, avatar: saved.avatar })
    },
    onError: (error) => {
      if (!isTaken(error)) toastFailure(texts.saveFailed, error)
    },
  })
}

/** This error is shown at the field. */
const isTaken = (error: unknown) => error instanceof ApiError && error.code === 'duplicate'
