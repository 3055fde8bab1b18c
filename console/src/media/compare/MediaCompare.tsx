import { aiApi } from '@mokuroku/contract/ai'
import { ApiError } from '@mokuroku/contract/call'
import { mediaApi, MediaInput } from '@mokuroku/contract/media'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { type FormEvent, Suspense, useMemo, useRef, useState } from 'react'
import { sentenceOf, localized } from '#i18n/errors.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { editable, type Fields, toRequestBody } from '#lib/editorText.ts'
import { type VersionConflict, versionConflictOf } from '#lib/versionConflict.ts'
import { create } from '#parts/area/create.ts'
import { AiStatusLine, useAiStatus } from '#parts/ai/AiStatus.tsx'
import { AiStream } from '#parts/ai/AiStream.tsx'
import type { AiState } from '#parts/ai/useAiStream.ts'
import { DraftOffer } from '#parts/entityEditor/DraftOffer.tsx'
import { LeaveGuard } from '#parts/entityEditor/LeaveGuard.tsx'
import { editorTexts } from '#parts/entityEditor/texts.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import { useSaveWithPending } from '#parts/pendingValues.ts'
import { useRefusal } from '#parts/refusal.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { TextField } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import { Page } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { MEDIA_LINKS } from '../mediaLinks.ts'
import { Comparison } from './Comparison.tsx'
import { complete, coverOf, nameOfNew, rowsOf, type Selected } from './fields.ts'
import { FoundImages } from './FoundImages.tsx'
import css from './MediaCompare.module.css'
import { SelectedData } from './SelectedData.tsx'
import type { Suggestion } from './sources.ts'
import { compareTexts } from './texts.ts'
import { useSelected } from './useSelected.ts'
import { resultOf, useColumn, useSources } from './useSources.ts'

const ConflictResolver = lazyPart(() => import('#parts/entityEditor/ConflictResolver.tsx'), 'ConflictResolver')

export function MediaCompare() {
  const texts = compareTexts.use()
  const language = useLanguage()
  const refusal = useRefusal()('create', 'Media')
  const { one, two, images, generate, busy } = useSources()
  const { selected, setSelected, previews, addPreview, takeImage, draft, isChanged } = useSelected(images)
  const [topic, setTopic] = useStoredState('topic', '')
  const save = useSaveMedia({
    ...draft,
    forget: () => {
      draft.forget()
      setTopic('')
    },
  })
  const toSave = () => ({ body: complete(selected), runs: [one.now, two.now].flatMap(runsOf) })
  const saving = useSaveWithPending(() => save.mutate(toSave()))
  const [names] = useState(() => entryNames(language))

  const [first, second] = [resultOf(one.now), resultOf(two.now)]
  const rows = useMemo(() => rowsOf(first, second), [first, second])
  const columns = [useColumn(one.now), useColumn(two.now)] as const
  const isUnknown = columns.every((column) => column.isUnknown)
  const characters = (selected.characters ?? []).map((each) => ({
    name: nameOfNew(each, language).text,
    cover: coverOf(each),
  }))

  return (
    <Page title={texts.title} subtitle={texts.subtitle} back={useBackTo('/media', texts.back)}>
      <LeaveGuard unsaved={() => !save.isDone() && isChanged} />
      <Card>
        <Topic {...{ topic, busy }} onTopic={setTopic} onGenerate={(chosen) => void generate(chosen)} />
        <AiStatusLine />
      </Card>
      <div className={css.streams}>
        {([one, two] as const).map(({ now, stop }, at) => (
          <AiStream
            key={at}
            label={texts.source(at + 1)}
            now={now}
            lacking={columns[at]?.lacking}
            onStop={stop}
            onRetry={() => void generate(undefined, at === 0 ? 1 : 2)}
          />
        ))}
      </div>
      {/* What is changed during a save, or while its conflicts are resolved, would be lost. */}
      <div className={css.choices} inert={save.isPending || save.stale !== undefined}>
        <FoundImages images={images} cover={selected.cover} characters={characters} onUse={takeImage} />
        {isUnknown && <p className={css.unknown}>{texts.unknown}</p>}
        {rows.length > 0 && (
          <Comparison
            {...{ rows, selected }}
            sources={[first, second]}
            absent={[columns[0].absent, columns[1].absent]}
            onSelect={setSelected}
          />
        )}
      </div>
      {save.stale ? (
        <Card>
          <Suspense>
            <ConflictResolver
              stale={save.stale}
              names={names}
              revised={{ kind: 'Media', links: MEDIA_LINKS }}
              busy={save.isPending}
              onSave={(merged) => save.mutate({ ...toSave(), merged })}
              onBack={save.leaveStale}
            />
          </Suspense>
        </Card>
      ) : (
        <SelectedData
          selected={selected}
          onChange={setSelected}
          previews={previews}
          onUploaded={addPreview}
          isSaving={save.isPending}
          isUploading={saving.waitsFor !== undefined}
          refusal={refusal}
          onSave={saving.start}
        >
          {draft.offered && (
            <DraftOffer
              key={draft.offered.id}
              draft={draft.offered}
              version={undefined}
              onRestore={draft.restore}
              onDiscard={draft.discard}
            />
          )}
        </SelectedData>
      )}
    </Page>
  )
}

/** The id of the run that produced a source's answer; the saved media item refers to it. */
const runsOf = (now: AiState<Suggestion>): string[] =>
  now.state === 'done' && now.answer.run ? [now.answer.run._id] : []

interface TopicProps {
  topic: string
  busy: boolean
  onTopic: (topic: string) => void
  onGenerate: (topic: string) => void
}

function Topic({ topic, busy, onTopic, onGenerate }: TopicProps) {
  const texts = compareTexts.use()
  const status = useAiStatus()
  const reason = status?.reason && localized(status.reason)
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (reason) return toast.info(reason)
    setMissing(topic.trim() === '')
    if (topic.trim()) onGenerate(topic.trim())
  }
  return (
    <Row as="form" gap={3} align="start" wrap className={css.topic} onSubmit={submit} noValidate>
      <TextField
        className={css.box}
        label={texts.topic}
        placeholder={texts.topicHint}
        value={topic}
        maxLength={500}
        autoComplete="off"
        error={isMissing && !topic.trim() ? texts.noTopic : undefined}
        onChange={(event) => onTopic(event.currentTarget.value)}
      />
      <Button type="submit" variant="primary" icon={Sparkles} busy={busy} reason={reason}>
        {busy ? texts.generating : texts.generate}
      </Button>
    </Row>
  )
}

/** Fields of a selection that may describe what the server creates or fetches; of what was made, they are ids. */
const DESCRIBED = ['characters', 'tags', 'cover'] as const

/** The update of what an earlier selection made; undefined if it changes what only a creation can describe. */
function changeTo(body: Selected, first: Partial<Selected>, made: object): Fields | undefined {
  const before = complete(first)
  if (DESCRIBED.some((name) => JSON.stringify(before[name]) !== JSON.stringify(body[name]))) return undefined
  const stored = editable(MediaInput, { ...made })
  return { ...stored, ...body, ...Object.fromEntries(DESCRIBED.map((name) => [name, stored[name]])) }
}

interface Saved {
  body: Selected
  runs: string[]
  /** The resolved conflict with changes to what an earlier selection made. */
  merged?: Fields
}

function useSaveMedia({ attempt, keep, forget }: ReturnType<typeof useSelected>['draft']) {
  const texts = compareTexts.use()
  const { problemOf } = editorTexts.use()
  const nameOf = useFieldNames('Media')
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const done = useRef(false)
  const [stale, setStale] = useState<VersionConflict>()
  const saving = useMutation({
    mutationFn: ({ body, runs, merged }: Saved) => {
      const changeOf = (first: Partial<Selected>, made: object) =>
        merged && stale
          ? toRequestBody(MediaInput, editable(MediaInput, merged), stale.theirs)
          : changeTo(body, first, made)
      const options = { changeOf, base: stale?.version }
      const answer = create({ api: { ...mediaApi, create: aiApi.createMedia } }, body, runs, attempt, options)
      // With the call that may have created an entry.
      keep()
      return answer
    },
    meta: { quiet: true },
    onSuccess: async ({ _id }) => {
      done.current = true
      forget()
      toast.success(texts.saved)
      if (isMounted()) await navigate({ to: '/media/$id', params: { id: _id } })
    },
    onError: (error) => {
      keep()
      const conflict = versionConflictOf(error)
      setStale(conflict ?? stale)
      if (conflict) return
      const [fault] = error instanceof ApiError ? (error.errors ?? []) : []
      toastFailure(texts.saveFailed, error, fault && problemOf(nameOf(fault.path), sentenceOf(fault)))
    },
  })
  return { ...saving, stale, leaveStale: () => setStale(undefined), isDone: () => done.current }
}
