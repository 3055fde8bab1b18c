import { X } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { Json } from './Json.tsx'
import { placeAttribute, useForm, useLabelOf } from './form.ts'
import css from './Form.module.css'
import { formTexts } from './texts.ts'

interface Props {
  known: Readonly<Record<string, unknown>>
  document: Readonly<Record<string, unknown>>
}

const ANY = {}

/** Fields of the document that the schema does not have: they are kept, shown as they are, and can be removed. */
export function OtherFields({ known, document }: Props) {
  const texts = formTexts.use()
  const { set, isReadOnly } = useForm()
  const label = useLabelOf()
  const others = Object.entries(document).filter(([name]) => !Object.hasOwn(known, name))
  if (others.length === 0) return undefined
  return (
    <fieldset className={css.set} data-wide>
      <legend className={css.legend}>{texts.unknownFields}</legend>
      <ul className={css.items}>
        {others.map(([name, value]) => (
          <li key={name} data-place={placeAttribute([name])}>
            <Json place={[name]} schema={ANY} value={value} isRequired />
            {!isReadOnly && (
              <Button size="small" icon={X} onClick={() => set([name], undefined)}>
                {texts.remove(label([name]))}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
