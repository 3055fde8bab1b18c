import { DEFAULT_FINDINGS, type FindingCode } from '@mokuroku/contract/findings'
import { TAGS_MODES } from '@mokuroku/contract/lists'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { shortDate } from '#lib/dates.ts'
import { dayOf, lastDayOf, startOf } from '#lib/days.ts'
import { languageName } from '#parts/titles.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { NO_RECENT, TagPicker } from '#parts/TagPicker.tsx'
import { useLanguages } from '#parts/useLanguages.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './FilterForm.module.css'
import { type FilterName, FILTERS, isActive, type ListState } from './filters.ts'
import { filterTexts } from './texts.ts'

interface Props {
  names: readonly FilterName[]
  /** The filter to edit; undefined: the user chooses one. */
  first: FilterName | undefined
  state: ListState
  onApply: (state: Partial<ListState>) => void
}

/** Form for choosing a filter and its value; Enter applies it. */
export function FilterForm({ names, first, state, onApply }: Props) {
  const texts = filterTexts.use()
  const [name, setName] = useState(first ?? names.find((each) => !isActive(each, state)) ?? 'finding')
  const [draft, setDraft] = useState(state)
  const form = useRef<HTMLFormElement>(null)
  const Fields = FIELDS[name]
  // The panel may take the focus before this code has loaded.
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const filter = draftOf(name, draft)
    if (isActive(name, filter)) onApply(filter)
  }
  return (
    <Stack as="form" ref={form} gap={3} onSubmit={submit}>
      <SelectField
        label={texts.by}
        value={name}
        options={names.map((value) => ({ value, label: texts.names[value] }))}
        onChange={(value) => setName(names.find((each) => each === value) ?? name)}
      />
      <Fields key={name} draft={draft} onDraft={(change) => setDraft({ ...draft, ...change })} />
      <Button type="submit" variant="primary" reason={isActive(name, draftOf(name, draft)) ? undefined : texts.nothing}>
        {texts.apply}
      </Button>
    </Stack>
  )
}

/** The parameters of one filter, with defaults from INITIAL. */
const draftOf = (name: FilterName, draft: ListState): Partial<ListState> =>
  Object.fromEntries(
    FILTERS[name].map((parameter) => [parameter, draft[parameter] ?? INITIAL[parameter as keyof typeof INITIAL]]),
  )

/** Default values of filters that are chosen from a list. */
const INITIAL = { finding: `${DEFAULT_FINDINGS[0]}`, hasCover: false } as const

interface FieldsProps {
  draft: ListState
  onDraft: (change: ListState) => void
}

const FIELDS: Record<FilterName, (props: FieldsProps) => ReactNode> = {
  finding: FindingFields,
  missing: ({ draft, onDraft }) => <LanguageField value={draft.missing} onChange={(missing) => onDraft({ missing })} />,
  language: ({ draft, onDraft }) => (
    <LanguageField value={draft.language} onChange={(language) => onDraft({ language })} />
  ),
  tags: TagFields,
  hasCover: CoverField,
  days: ({ draft: { from, to }, onDraft }) => <RangeFields from={from} to={to} onRange={onDraft} />,
  ratingMin: RatingField,
  createdBy: ({ draft, onDraft }) => (
    <UserField value={draft.createdBy} onChange={(createdBy) => onDraft({ createdBy })} />
  ),
  updatedSince: SinceField,
  deletedBy: ({ draft, onDraft }) => (
    <UserField value={draft.deletedBy} onChange={(deletedBy) => onDraft({ deletedBy })} />
  ),
  deleted: DeletedFields,
}

/** Whether a finding concerns one language, which can be chosen. */
const CONCERNS_LANGUAGE: Record<FindingCode, boolean> = {
  missing: true,
  copied: true,
  script: true,
  latinOnly: true,
  mixed: true,
  spaces: true,
  brackets: true,
  ellipsis: true,
  placeholder: true,
  season: true,
  noCover: false,
  noTags: false,
  noDescription: false,
  noCharacters: false,
  futureCompleted: false,
  duplicate: false,
  brokenLink: false,
}

function FindingFields({ draft, onDraft }: FieldsProps) {
  const texts = filterTexts.use()
  const [code = '', language] = (draft.finding ?? INITIAL.finding).split(':')
  return (
    <>
      <SelectField
        label={texts.names.finding}
        value={code}
        options={(Object.keys(texts.findings) as FindingCode[]).map((value) => ({
          value,
          label: texts.findings[value],
        }))}
        onChange={(finding) => onDraft({ finding })}
      />
      {CONCERNS_LANGUAGE[code as FindingCode] && (
        <LanguageField
          any={texts.anyLanguage}
          value={language}
          onChange={(tag) => onDraft({ finding: tag ? `${code}:${tag}` : code })}
        />
      )}
    </>
  )
}

interface LanguageProps {
  /** Label of the option for no language; if undefined, a language is required. */
  any?: string
  value: string | undefined
  onChange: (tag: string | undefined) => void
}

function LanguageField({ any = '', value = '', onChange }: LanguageProps) {
  const texts = filterTexts.use()
  const locale = useLanguage()
  const languages = useLanguages()
  const tags = value && !languages.includes(value) ? [...languages, value] : languages
  return (
    <SelectField
      label={texts.names.language}
      value={value}
      options={[{ value: '', label: any }, ...tags.map((tag) => ({ value: tag, label: languageName(tag, locale) }))]}
      onChange={(tag) => onChange(tag || undefined)}
    />
  )
}

function TagFields({ draft, onDraft }: FieldsProps) {
  const texts = filterTexts.use()
  return (
    <>
      <SelectField
        label={texts.mode}
        value={draft.tagsMode ?? 'any'}
        options={TAGS_MODES.map((value) => ({ value, label: texts.modes[value] }))}
        onChange={(mode) => onDraft({ tagsMode: TAGS_MODES.find((each) => each === mode && each !== 'any') })}
      />
      <TagPicker
        ids={(draft.tags ?? '').split(',').filter(Boolean)}
        onIds={(tags) => onDraft({ tags: tags.join(',') || undefined })}
      />
    </>
  )
}

function CoverField({ draft, onDraft }: FieldsProps) {
  const texts = filterTexts.use()
  return (
    <SelectField
      label={texts.names.hasCover}
      value={String(draft.hasCover ?? INITIAL.hasCover)}
      options={[
        { value: 'false', label: texts.withoutCover },
        { value: 'true', label: texts.withCover },
      ]}
      onChange={(value) => onDraft({ hasCover: value === 'true' })}
    />
  )
}

interface RangeProps {
  from: string | undefined
  to: string | undefined
  onRange: (change: { from?: string | undefined; to?: string | undefined }) => void
}

function RangeFields({ from, to, onRange }: RangeProps) {
  const texts = filterTexts.use()
  return (
    <div className={css.pair}>
      <TextField
        type="date"
        label={texts.from}
        value={from ?? ''}
        max={to}
        onChange={(event) => onRange({ from: event.currentTarget.value || undefined })}
      />
      <TextField
        type="date"
        label={texts.to}
        value={to ?? ''}
        min={from}
        onChange={(event) => onRange({ to: event.currentTarget.value || undefined })}
      />
    </div>
  )
}

/** Days in the user's time zone; the URL holds the moments when the first starts and the last ends. */
function DeletedFields({ draft: { deletedFrom, deletedTo }, onDraft }: FieldsProps) {
  const [range, setRange] = useState({ from: dayOf(deletedFrom), to: lastDayOf(deletedTo) })
  const set = (change: Partial<typeof range>) => {
    const { from, to } = { ...range, ...change }
    setRange({ from, to })
    onDraft({ deletedFrom: startOf(from), deletedTo: startOf(to, 1) })
  }
  return <RangeFields {...range} onRange={set} />
}

function RatingField({ draft, onDraft }: FieldsProps) {
  const texts = filterTexts.use()
  const set = (value: string) => onDraft({ ratingMin: value === '' ? undefined : Number(value) })
  return (
    <TextField
      type="number"
      min={0}
      max={10}
      step={0.1}
      label={texts.names.ratingMin}
      value={draft.ratingMin ?? ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

function UserField({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const texts = filterTexts.use()
  const me = useMe()
  const [text, setText] = useState('')
  return (
    <>
      <Button aria-pressed={value === me._id} onClick={() => onChange(me._id)}>
        {texts.me}
      </Button>
      <SearchSelect
        index="users"
        takesFirst
        label={texts.user}
        placeholder={texts.user}
        text={text}
        onText={setText}
        onChoose={({ _id, translations }) => {
          setText(Object.values(translations)[0]?.name ?? '')
          onChange(_id)
        }}
        {...NO_RECENT}
      />
    </>
  )
}

/** A date in the user's time zone; the URL holds the moment when that day starts. */
function SinceField({ draft, onDraft }: FieldsProps) {
  const texts = filterTexts.use()
  const day = draft.updatedSince ? shortDate(draft.updatedSince) : ''
  const set = (value: string) => {
    const start = new Date(`${value}T00:00:00`)
    onDraft({ updatedSince: Number.isNaN(start.valueOf()) ? undefined : start.toISOString() })
  }
  return (
    <TextField
      type="date"
      label={texts.names.updatedSince}
      value={day}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
