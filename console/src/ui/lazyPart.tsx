import { Component, lazy, type ReactNode } from 'react'
import { NotFetched, reloadPage } from './code.ts'
import css from './lazyPart.module.css'
import { Failed } from './Loaded.tsx'

/** Delay before the automatic retry of a failed import. */
const RETRY_DELAY_MS = 1000

type Load<Name extends string, Props> = () => Promise<Record<Name, (props: Props) => ReactNode>>

/**
 * A lazily loaded component: `lazyPart(() => import('./History.tsx'), 'History')`. If its code cannot be loaded, an
 * error with Retry is shown in its place; the rest of the screen keeps working. Retry reloads the page if loading fails
 * again.
 */
export const lazyPart = <Name extends string, Props>(load: Load<Name, Props>, name: Name) => part(load, name)

/** As `lazyPart`, for a dialog or menu, which has no place in the screen: its error floats. */
export const lazyOverlay = <Name extends string, Props>(load: Load<Name, Props>, name: Name) =>
  part(load, name, css.floating)

function part<Name extends string, Props>(
  load: Load<Name, Props>,
  name: Name,
  className?: string,
): (props: Props) => ReactNode {
  const codeFrom = (fetched: Load<Name, Props>) =>
    lazy(async () => ({ default: (await fetched())[name] as (props: object) => ReactNode }))
  let Code = codeFrom(() => load().catch(() => loadAgain(load)))
  const retry = () => (Code = codeFrom(() => load().catch(reloadPage)))
  return (props) => (
    <Part className={className} retry={retry}>
      {() => <Code {...(props as object)} />}
    </Part>
  )
}

async function loadAgain<Code>(load: () => Promise<Code>): Promise<Code> {
  await new Promise((done) => setTimeout(done, RETRY_DELAY_MS))
  return load().catch((cause: unknown) => {
    throw new NotFetched(cause)
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
    // Errors of the component itself are left to the screen's error boundary.
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
