import { Fact } from '#ui/Facts.tsx'
import { original } from './titles.ts'

/** The further names of an entry, each in the font of its script; nothing where it has none. */
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
