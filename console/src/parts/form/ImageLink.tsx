import { ImageOff } from 'lucide-react'
import { useEffect, useId, useSyncExternalStore } from 'react'
import { fileUrl } from '#api/host.ts'
import { isId } from '../jsonEditor/idNames.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { ImageTools } from './ImageTools.tsx'
import { choiceOf, idOf } from './links.ts'
import { Messages } from './Messages.tsx'
import { emptied } from './shape.ts'
import { formTexts } from './texts.ts'

/** Field for an image of the catalogue, given by its id. */
export function ImageLink({ place, schema, value, isRequired }: FieldProps) {
  const describedBy = useId()
  const texts = formTexts.use()
  const { set, names, isReadOnly } = useForm()
  const label = useLabelOf()(place)
  const id = idOf(value)
  const name = useSyncExternalStore(names.follow, () => names.get(id))
  useEffect(() => void (isId(id) && names.want('assets', [id])), [names, id])
  const known = typeof name === 'object' ? name : undefined
  const cover = known?.choice?.cover
  return (
    <fieldset className={css.set} aria-describedby={describedBy}>
      <legend className={css.legend}>{label}</legend>
      <ImageTools
        label={label}
        chosen={id}
        isReadOnly={isReadOnly}
        onChoose={(asset) => {
          names.learn(asset._id, { text: asset.filename, lang: undefined, choice: choiceOf(asset) })
          set(place, asset._id)
        }}
        onRemove={id ? () => set(place, emptied(schema, isRequired)) : undefined}
      >
        {cover ? (
          <img className={css.picture} src={fileUrl(cover.url)} alt={known?.text ?? ''} />
        ) : (
          <span className={css.noPicture}>
            <ImageOff size={24} strokeWidth={1.5} aria-hidden />
            {name === 'missing' ? texts.missing : name === 'failed' ? texts.unnamed : id ? '…' : texts.noImage}
          </span>
        )}
      </ImageTools>
      <Messages id={describedBy} {...useMarks(place)} />
    </fieldset>
  )
}
