import { Fact } from '#ui/Facts.tsx'
import { original } from './titles.ts'

/** Alternative names of an entry, each with the `lang` of its script; nothing if there are none. */
export function Aliases({ names, label }: { names: string[] | undefined; label: string }) {
  if (!names?.length) return null
  return (
    <Fact name={label} wide>
      {names.map((name) => (
        <span key={name} lang={original(name)?.lang}>
          {name}
        </span>
      ))}
    </Fact>
  )
}
