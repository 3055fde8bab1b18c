import { FLAGS, tierTexts } from './texts.ts'

/** Returns a function that names a permission; custom permissions keep their own name. */
export function useFlagName() {
  const { flags } = tierTexts.use()
  return (name: string) => nameIn(flags, name)
}

/** As `useFlagName`, for code outside of rendering. */
export const flagNameOf = (name: string): string => nameIn(tierTexts.get().flags, name)

function nameIn(flags: Record<string, string>, name: string): string {
  const flag = FLAGS.find((each) => each === name)
  return (flag && flags[flag]) ?? name
}
