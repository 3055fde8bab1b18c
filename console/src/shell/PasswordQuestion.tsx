import { authApi } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { messageOf } from '#i18n/errors.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { passwordTexts } from './passwordTexts.ts'

/** Asks for the password before a sensitive request is repeated. Calls `answer` with whether it was confirmed. */
export function PasswordQuestion({ answer }: { answer: (confirmed: boolean) => void }) {
  const texts = passwordTexts.use()
  const { login } = useMessages()
  const { email } = useMe()
  const form = useId()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  // If the session ends meanwhile, the waiting caller still gets an answer.
  const latest = useRef(answer)
  useEffect(() => () => latest.current(false), [])
  const confirm = useMutation({
    mutationFn: () => call(authApi.confirm, { body: { password } }),
    meta: { quiet: true },
    onSuccess: () => answer(true),
    onError: (error) => {
      setProblem(error instanceof ApiError && error.status === 400 ? texts.wrong : messageOf(error))
      field.current?.select()
    },
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    // React events bubble through portals, to the form that opened the dialog.
    event.stopPropagation()
    if (confirm.isPending) return
    if (password) return confirm.mutate()
    setProblem(texts.required)
    field.current?.focus()
  }
  return (
    <Dialog
      title={texts.title}
      onClose={() => answer(false)}
      footer={
        <FormButtons onCancel={() => answer(false)} form={form} variant="primary" busy={confirm.isPending}>
          {texts.confirm}
        </FormButtons>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <p>{texts.why}</p>
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          ref={field}
          label={login.password}
          autoComplete="current-password"
          value={password}
          error={problem}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
