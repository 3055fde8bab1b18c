import { useEffect, useId, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { type Index, isId } from '../jsonEditor/idNames.ts'
import { LastChange, useLastChange } from '../LastChange.tsx'
import { SearchOrCreate } from '../SearchOrCreate.tsx'
import type { Choice } from '../Suggestion.tsx'
import { NAMELESS, nameOfHit } from '../titles.ts'
import { useRecentCharacters } from '../useRecentCharacters.ts'
import { useRecentMedia } from '../useRecentMedia.ts'
import { Chip } from './Chip.tsx'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { idOf } from './links.ts'
import { Messages } from './Messages.tsx'
import { emptied } from './shape.ts'
import { formTexts } from './texts.ts'

/** How many items of a long list are shown until it is expanded. */
const SHOWN = 40

interface Props extends FieldProps {
  index: Index
  /** Whether it holds several ids, or one. */
  isList: boolean
}

/** Linked entities by name: tags, characters, media, files. */
export function LinkList({ place, schema, value, isRequired, index, isList }: Props) {
  const id = useId()
  const texts = formTexts.use()
  const { set, names, isReadOnly } = useForm()
  const language = useLanguage()
  const label = useLabelOf()(place)
  const [isWhole, showAll] = useState(false)
  const ids = isList ? (Array.isArray(value) ? value : []).map(idOf) : [idOf(value)].filter(Boolean)
  const change = useLastChange(ids)
  const changed = names.get(change?.id ?? '')
  const shown = isWhole ? ids : ids.slice(0, SHOWN)
  const wanted = shown.filter(isId).join(' ')
  useEffect(() => void (wanted && names.want(index, wanted.split(' '))), [names, index, wanted])
  const add = (choice: Choice) => {
    names.learn(choice._id, { ...(nameOfHit(choice, language) ?? NAMELESS), choice })
    if (!isList) return set(place, choice._id)
    // At the end of the list as it is then: `value` is outdated if the entry had to be created first.
    if (!ids.includes(choice._id)) set([...place, Infinity], choice._id)
  }
  const remove = (at: number) => set(isList ? [...place, at] : place, isList ? undefined : emptied(schema, isRequired))
  return (
    <fieldset className={css.set} aria-describedby={id}>
      <legend className={css.legend}>
        {label}
        {ids.length > 1 && <span className={css.count}> {count(ids.length, language)}</span>}
      </legend>
      {ids.length > 0 && (
        <ul className={css.chips}>
          {shown.map((each, at) => (
            <Chip key={`${each} ${at}`} id={each} index={index} onRemove={isReadOnly ? undefined : () => remove(at)} />
          ))}
        </ul>
      )}
      {ids.length > shown.length && (
        <Button size="small" variant="quiet" onClick={() => showAll(true)}>
          {texts.moreChosen(ids.length - shown.length)}
        </Button>
      )}
      {!isReadOnly && (
        <Row data-own-undo>
          <Finder index={index} isList={isList} label={texts.add(label)} onChoose={add} />
        </Row>
      )}
      <LastChange change={change} name={typeof changed === 'object' ? changed.text : undefined} />
      <Messages id={id} {...useMarks(place)} />
    </fieldset>
  )
}

interface FinderProps extends Pick<Props, 'index' | 'isList'> {
  label: string
  onChoose: (choice: Choice) => void
}

function Finder({ index, isList, label, onChoose }: FinderProps) {
  const texts = formTexts.use()
  const media = useRecentMedia()
  const characters = useRecentCharacters()
  const recent = { media, characters, tags: undefined, assets: undefined }[index]
  return (
    <SearchOrCreate
      index={index}
      className={css.finder}
      label={label}
      placeholder={texts.find}
      make={useForm().makeByName(index)}
      isSingle={!isList}
      onChoose={onChoose}
      recent={recent && { ...recent, recentTitle: texts.recent }}
    />
  )
}
