import { authApi } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { isUncertain } from '#lib/errorStatus.ts'
import { useMe } from '#api/session.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import css from './Profile.module.css'
import { texts as area } from './texts.ts'

const EMPTY = { current: '', password: '' }

export function ChangePassword() {
  const { password: texts } = area.use()
  const { email } = useMe()
  const { register, handleSubmit, reset, setError, formState } = useForm({ defaultValues: EMPTY })
  const { errors, isSubmitting } = formState
  // A response was lost.
  const [isUnsure, setUnsure] = useState(false)
  const change = useMutation({
    mutationFn: (body: typeof EMPTY) => call(authApi.changePassword, { body }),
    // Field errors are shown at the field.
    meta: { quiet: true },
  })
  const submit = handleSubmit(async (input) => {
    try {
      await change.mutateAsync(input)
      reset(EMPTY)
      setUnsure(false)
      toast.success(texts.changed)
    } catch (error) {
      const wrong = error instanceof ApiError && error.errors?.some(({ path }) => path === 'current')
      if (wrong) setError('current', { message: isUnsure ? texts.maybeChanged : texts.wrong })
      else toastFailure(texts.failed, error)
      if (isUncertain(error)) setUnsure(true)
    }
  })
  return (
    <Stack as="form" noValidate gap={4} className={css.form} onSubmit={(event) => void submit(event)}>
      <Muted as="p" small>
        {texts.hint}
      </Muted>
      {/* Tells password managers whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...register('current', { required: texts.required })}
        label={texts.current}
        autoComplete="current-password"
        error={errors.current?.message}
      />
      <PasswordField
        {...register('password', {
          required: texts.required,
          minLength: { value: 8, message: texts.rule },
          maxLength: { value: 200, message: texts.tooLong },
        })}
        label={texts.next}
        autoComplete="new-password"
        hint={texts.rule}
        error={errors.password?.message}
      />
      <div>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {texts.change}
        </Button>
      </div>
    </Stack>
  )
}
