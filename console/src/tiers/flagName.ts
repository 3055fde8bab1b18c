import { FLAGS, tierTexts } from './texts.ts'

/** What a permission is called; one of the customer's own goes by its own name. */
export function useFlagName() {
  const { flags } = tierTexts.use()
  return (name: string) => {
    const flag = FLAGS.find((each) => each === name)
    return flag ? flags[flag] : name
  }
}
