import { FLAGS, tierTexts } from './texts.ts'

/** What a permission is called; one of the customer's own goes by its own name. */
export function useFlagName() {
  const { flags } = tierTexts.use()
  return (name: string) => nameIn(flags, name)
}

/** As `useFlagName`, outside of what is rendered. */
export const flagNameOf = (name: string): string => nameIn(tierTexts.now().flags, name)

function nameIn(flags: Record<string, string>, name: string): string {
  const flag = FLAGS.find((each) => each === name)
  return (flag && flags[flag]) ?? name
}
