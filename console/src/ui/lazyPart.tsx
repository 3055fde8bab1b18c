import { Component, lazy, type ReactNode } from 'react'
import css from './lazyPart.module.css'
import { Failed } from './Loaded.tsx'

/** How long until code that could not be fetched is asked for once more by itself, in milliseconds. */
const AGAIN = 1000

class NotFetched extends Error {}

type Load<Name extends string, Props> = () => Promise<Record<Name, (props: Props) => ReactNode>>

/**
 * A component whose code is fetched when it is first shown: `lazyPart(() => import('./History.tsx'), 'History')`.
 * When its code cannot be fetched, a failure with Retry stands in its place, and the screen around it stays.
 */
export const lazyPart = <Name extends string, Props>(load: Load<Name, Props>, name: Name) => part(load, name)

/** The same for a dialog or a menu, which has no place of its own in the screen: its failure floats. */
export const lazyOverlay = <Name extends string, Props>(load: Load<Name, Props>, name: Name) =>
  part(load, name, css.floating)

function part<Name extends string, Props>(
  load: Load<Name, Props>,
  name: Name,
  className?: string,
): (props: Props) => ReactNode {
  const fetched = () =>
    lazy(async () => {
      const module = await load().catch(() => loadAgain(load))
      return { default: module[name] as (props: object) => ReactNode }
    })
  let Code = fetched()
  const retry = () => (Code = fetched())
  return (props) => (
    <Part className={className} retry={retry}>
      {() => <Code {...(props as object)} />}
    </Part>
  )
}

async function loadAgain<Code>(load: () => Promise<Code>): Promise<Code> {
  await new Promise((done) => setTimeout(done, AGAIN))
  return load().catch((cause: unknown) => {
    throw new NotFetched('The code of a part could not be fetched', { cause })
  })
}

interface PartProps {
  children: () => ReactNode
  className: string | undefined
  retry: () => void
}

class Part extends Component<PartProps, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError = (error: unknown) => ({ error })

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children()
    // A fault of the part itself is the screen's.
    if (!(error instanceof NotFetched)) throw error
    const retry = () => {
      this.props.retry()
      this.setState({ error: undefined })
    }
    return (
      <div className={this.props.className}>
        <Failed retry={retry} />
      </div>
    )
  }
}
