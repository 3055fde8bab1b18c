import { ApiError, type FieldError } from '@mokuroku/contract/call'
import { EMAIL_LANGUAGES } from '@mokuroku/contract/emailLanguages'
import { Invitation, invitationsApi } from '@mokuroku/contract/invitations'
import { toFieldErrors } from '@mokuroku/contract/issues'
import { ROLES } from '@mokuroku/contract/users'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { sentenceOf } from '#i18n/errors.ts'
import { q } from '#api/query.ts'
import { toastFailure } from '#api/queryClient.ts'
import { LANGUAGES, useLanguage, useMessages } from '#i18n/messages.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { explain } from './explain.ts'
import { userTexts } from './texts.ts'
import { TierField } from './TierField.tsx'
import { toastInvited } from './toastInvited.ts'

type FieldName = 'username' | 'email' | 'role' | 'scores' | 'language'

/** Form for an invitation: the user's name, email address, role and initial tier, and the language of the email. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { invite: texts, role, roles } = userTexts.use()
  const language = useLanguage()
  const form = useId()
  const [typed, setTyped] = useStoredState<Partial<Record<FieldName, string>> | undefined>('invitation', undefined)
  const fields = { username: '', email: '', role: 'user', scores: '0', language, ...typed }
  const set = (change: typeof typed) => setTyped({ ...typed, ...change })
  const end = () => {
    setTyped(undefined)
    onClose()
  }
  const { send, busy, faultAt } = useInvite(end)
  const { common } = useMessages()
  const { data: mail } = useQuery({ ...q(invitationsApi.mail), meta: { failure: common.somethingFailed } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send({ ...fields, scores: fields.role === 'user' ? Number(fields.scores) : 0 })
  }
  const field = (name: 'username' | 'email') => ({
    label: texts[name],
    value: fields[name],
    error: faultAt(name),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [name]: currentTarget.value }),
  })
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      footer={
        <FormButtons onCancel={end} form={form} variant="primary" busy={busy}>
          {busy ? texts.sending : texts.send}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} gap={3} noValidate onSubmit={submit}>
        <Muted as="p">{texts.hint}</Muted>
        <TextField maxLength={60} {...field('username')} />
        <TextField type="email" maxLength={254} {...field('email')} />
        <SelectField
          label={role}
          value={fields.role}
          options={ROLES.map((value) => ({ value, label: roles[value] }))}
          onChange={(chosen) => set({ role: chosen })}
        />
        {fields.role === 'user' && (
          <TierField hint={texts.tierHint} scores={fields.scores} onScores={(scores) => set({ scores })} />
        )}
        <SelectField
          label={texts.language}
          value={fields.language}
          options={EMAIL_LANGUAGES.map((value) => ({ value, label: LANGUAGES[value] }))}
          onChange={(chosen) => set({ language: chosen })}
        />
        {mail?.isConfigured === false && (
          <p role="note">
            <Muted>{texts.outbox}</Muted>
          </p>
        )}
      </Stack>
    </Dialog>
  )
}

/** Sends the invitation, and stores its field errors. */
function useInvite(onDone: () => void) {
  const [faults, setFaults] = useState<readonly FieldError[]>([])
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Invitation) => explain(() => call(invitationsApi.invite, { body }), body),
    meta: { quiet: true },
    onSuccess: (user) => {
      void toastInvited(user)
      onDone()
    },
    onError: (error) => {
      const known = error instanceof ApiError ? (error.errors ?? []) : []
      setFaults(known)
      if (known.length === 0) toastFailure(userTexts.get().invite.failed, error)
    },
  })
  const send = (input: Record<string, unknown>) => {
    const parsed = Invitation.safeParse(input)
    setFaults(parsed.success ? [] : toFieldErrors(parsed.error, input))
    if (parsed.success && !isPending) mutate(parsed.data)
  }
  const faultAt = (path: string) => {
    const fault = faults.find((each) => each.path === path)
    return fault && sentenceOf(fault)
  }
  return { send, busy: isPending, faultAt }
}
