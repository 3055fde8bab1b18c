import type { Asset } from '@mokuroku/contract/assets'
import { SCALAR_FIELDS } from '@mokuroku/contract/suggestion'
import { Braces, Save, X } from 'lucide-react'
import { type Dispatch, type ReactNode, type SetStateAction, Suspense, useState } from 'react'
import { Cover } from '#parts/Cover.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { FieldValue, useFieldName } from './Comparison.tsx'
import { useCharacterMatches } from './characterMatches.ts'
import { type Field, keyOf, type Selected, titlesOf, valueIn } from './fields.ts'
import { ImageButton } from './ImageButton.tsx'
import { NearDuplicates } from './NearDuplicates.tsx'
import { RelatedMedia } from './RelatedMedia.tsx'
import css from './SelectedData.module.css'
import { SelectedCharacters } from './SelectedCharacters.tsx'
import { compareTexts } from './texts.ts'
import { useImageUpload } from './useImageUpload.ts'

const SelectedJson = lazyPart(() => import('./SelectedJson.tsx'), 'SelectedJson')

interface Props {
  selected: Selected
  onChange: Dispatch<SetStateAction<Selected>>
  previews: ReadonlyMap<string, string>
  onUploaded: (asset: Asset) => void
  isSaving: boolean
  /** Whether a save waits for an upload. */
  isUploading: boolean
  /** Why nobody, or not this user, may save. */
  refusal: string | undefined
  onSave: () => void
  children?: ReactNode
}

/** Everything that will be saved: taken from the sources, or written by the user. */
export function SelectedData({
  selected,
  onChange,
  previews,
  onUploaded,
  isSaving,
  isUploading,
  refusal,
  onSave,
  children,
}: Props) {
  const texts = compareTexts.use()
  const [isJson, setJson] = useState(false)
  const [isWrong, setWrong] = useState(false)
  const wrong = isJson && isWrong
  const { matchesOf, isSearching, isUndecided } = useCharacterMatches(selected.characters ?? [])
  const unready = isSearching ? texts.searchingCharacters : isUndecided ? texts.undecided : undefined
  const untitled = titlesOf(selected).length === 0 ? texts.needsTitle : undefined
  const reason = refusal ?? (wrong ? texts.jsonWrong : (untitled ?? unready))
  return (
    <Card
      title={texts.data}
      action={
        <Row gap={2} align="stretch" wrap>
          <Button size="small" icon={Braces} aria-expanded={isJson} onClick={() => setJson(!isJson)}>
            {isJson ? texts.hideJson : texts.editJson}
          </Button>
          <Button
            size="small"
            variant="primary"
            icon={Save}
            busy={isSaving || isUploading}
            reason={reason}
            onClick={onSave}
          >
            {isSaving ? texts.saving : isUploading ? texts.uploading : texts.save}
          </Button>
        </Row>
      }
    >
      <div className={css.data} inert={isSaving}>
        {children}
        <NearDuplicates selected={selected} />
        {isJson && (
          <Suspense fallback={<Skeleton height={500} />}>
            <SelectedJson selected={selected} onChange={onChange} onWrong={setWrong} />
          </Suspense>
        )}
        <div className={css.columns}>
          <CoverBox {...{ selected, previews, onChange, onUploaded }} />
          <Summary selected={selected} />
        </div>
        <div className={css.links}>
          <RelatedMedia
            ids={(selected.relatedMedia ?? []).map((each) => (typeof each === 'string' ? each : each._id))}
            onChange={(relatedMedia) => onChange((now) => ({ ...now, relatedMedia }))}
          />
          <SelectedCharacters
            characters={selected.characters ?? []}
            previews={previews}
            onChange={(change) => onChange((now) => ({ ...now, characters: change(now.characters ?? []) }))}
            onUploaded={onUploaded}
            matchesOf={matchesOf}
          />
        </div>
      </div>
    </Card>
  )
}

function CoverBox({
  selected,
  previews,
  onChange,
  onUploaded,
}: Pick<Props, 'selected' | 'previews' | 'onChange' | 'onUploaded'>) {
  const texts = compareTexts.use()
  const { busy, refusal, upload } = useImageUpload()
  const [title = texts.cover] = titlesOf(selected)
  const cover = typeof selected.cover === 'string' ? selected.cover : ''
  const url = previews.get(cover)
  const use = (asset: Asset) => {
    onUploaded(asset)
    onChange((now) => ({ ...now, cover: asset._id }))
  }
  return (
    <div className={css.cover}>
      <span className={css.picture}>
        <Cover cover={url ? { _id: '', url } : ''} entity={{ originalTitle: title }} size="hero" />
        {cover && (
          <IconButton
            className={css.remove ?? ''}
            size="small"
            icon={X}
            label={texts.removeCover}
            onClick={() => onChange((now) => ({ ...now, cover: '' }))}
          />
        )}
      </span>
      <ImageButton
        label={texts.uploadCover}
        text={busy ? texts.uploading : texts.uploadCover}
        busy={busy}
        reason={refusal}
        onFile={(file) => upload({ name: title, file, use })}
      />
    </div>
  )
}

function Summary({ selected }: { selected: Selected }) {
  const texts = compareTexts.use()
  const name = useFieldName()
  const fields: Field[] = [
    ...Object.keys(selected.translations).flatMap((lang) =>
      (['title', 'description'] as const).map((each) => ({ kind: 'text', lang, name: each }) as const),
    ),
    ...SCALAR_FIELDS.map((each) => ({ kind: 'single', name: each }) as const),
    { kind: 'tags' },
  ]
  const shown = fields.filter((field) => valueIn(selected, field) !== undefined)
  if (shown.length === 0) return <p className={css.empty}>{texts.dataEmpty}</p>
  return (
    <div className={css.summary}>
      <Facts>
        {shown.map((field) => (
          <Fact key={keyOf(field)} name={name(field)} wide={field.kind !== 'single'}>
            <FieldValue field={field} value={valueIn(selected, field)} />
          </Fact>
        ))}
      </Facts>
    </div>
  )
}
