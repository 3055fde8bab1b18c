import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ignoreStaleClicks } from './ignoreStaleClicks.ts'

beforeAll(ignoreStaleClicks)
beforeEach(() => {
  vi.useFakeTimers()
  // Far away, so that the first press of a test does not belong to a click of another.
  fireEvent.click(document.body, { detail: 1, clientX: 1000 })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pressed: string[] = []

/** A button that changes its name when it is pressed, if it is told to. */
function Toggle({ names }: { names: [string, string] }) {
  const [at, setAt] = useState<0 | 1>(0)
  const toggle = () => {
    pressed.push(names[at])
    setAt(at === 0 ? 1 : 0)
  }
  return <button onClick={toggle}>{names[at]}</button>
}

async function press(detail = 1, meanwhile = () => undefined as void) {
  const button = screen.getByRole('button')
  fireEvent.pointerDown(button)
  await act(() => vi.advanceTimersByTimeAsync(1))
  meanwhile()
  fireEvent.click(button, { detail })
}

function open(names: [string, string]) {
  pressed.length = 0
  return render(<Toggle names={names} />)
}

test('the second press of a double click does not undo the first, and a third press does', async () => {
  open(['Deactivate', 'Activate'])
  await press(1)
  await press(2)
  expect(pressed).toEqual(['Deactivate'])
  await press(3)
  expect(pressed).toEqual(['Deactivate', 'Activate'])
})

test('a press that began before the button changed its meaning does nothing', async () => {
  open(['Deactivate', 'Activate'])
  await press(1, () => void fireEvent.click(screen.getByRole('button')))
  expect(pressed).toEqual(['Deactivate'])
})

test('a button that keeps its name is pressed as often as it is clicked', async () => {
  open(['Next', 'Next'])
  await press(1)
  await press(2)
  await press(3)
  expect(pressed).toEqual(['Next', 'Next', 'Next'])
})

/** The time of events. */
let now = 0

/**
 * A tap, which browsers of phones give as a first click, also when it is one of several. Returns whether a select would
 * open.
 */
async function tap(element: Element, { y = 10, afterMs = 100 } = {}) {
  now += afterMs
  const point = { clientX: 10, clientY: y, pointerType: 'touch' }
  fireEvent(element, timed(new PointerEvent('pointerdown', { bubbles: true, ...point })))
  await act(() => vi.advanceTimersByTimeAsync(1))
  const isOpened = fireEvent.mouseDown(element)
  fireEvent(element, timed(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, ...point })))
  return isOpened
}
const timed = <E extends Event>(event: E) => Object.defineProperty(event, 'timeStamp', { value: now })

test('two taps in a row are a double click, unless the second is late or elsewhere; a third counts again', async () => {
  open(['Deactivate', 'Activate'])
  const button = screen.getByRole('button')
  await tap(button, { afterMs: 400 })
  await tap(button)
  expect(pressed).toEqual(['Deactivate'])
  await tap(button)
  expect(pressed).toEqual(['Deactivate', 'Activate'])
  await tap(button, { afterMs: 400 })
  await tap(button, { y: 90 })
  expect(pressed).toEqual(['Deactivate', 'Activate', 'Deactivate', 'Activate'])
})

test('the second tap of a form’s button does not submit it again', async () => {
  const details: number[] = []
  render(<button onClick={({ detail }) => void details.push(detail)}>Save</button>)
  await tap(screen.getByRole('button'), { afterMs: 400 })
  await tap(screen.getByRole('button'))
  expect(details).toEqual([1, 2])
})

test('the second press of a double click presses nothing that has taken the place of the first', async () => {
  render(
    <>
      <p>Text</p>
      <a href="#there">Link</a>
      <dialog open onPointerDown={() => pressed.push('closed')} />
    </>,
  )
  pressed.length = 0
  document.querySelector('a')?.addEventListener('click', (event) => {
    pressed.push('followed')
    event.preventDefault()
  })
  for (const then of ['a', 'dialog']) {
    await tap(screen.getByText('Text'), { afterMs: 400 })
    await tap(document.querySelector(then) as Element)
    expect(pressed).toEqual([])
  }
  await tap(document.querySelector('dialog') as Element, { afterMs: 400 })
  await tap(document.querySelector('a') as Element, { afterMs: 400 })
  expect(pressed).toEqual(['closed', 'followed'])
})

test('a second tap neither changes nor opens a field that has taken the place of the first, nor its label', async () => {
  render(
    <>
      <button>Discard</button>
      <label>
        <input type="checkbox" /> Ongoing
      </label>
      <select aria-label="Empty cells" />
    </>,
  )
  const [button, box, select] = [screen.getByRole('button'), screen.getByRole('checkbox'), screen.getByRole('combobox')]
  for (const part of [box, box.closest('label') as Element]) {
    await tap(button, { afterMs: 400 })
    await tap(part)
    expect(box).toHaveProperty('checked', false)
  }
  await tap(button, { afterMs: 400 })
  expect(await tap(select)).toBe(false)
  // A choice counts as often as it is tapped.
  await tap(box, { afterMs: 400 })
  await tap(box)
  await tap(box)
  expect(box).toHaveProperty('checked', true)
  expect(await tap(select, { afterMs: 400 })).toBe(true)
})

test('keys press a button whatever its name was', async () => {
  open(['Deactivate', 'Activate'])
  await press(1)
  fireEvent.click(screen.getByRole('button'))
  expect(pressed).toEqual(['Deactivate', 'Activate'])
})

test('a press that sends no mousedown is not taken for an earlier one', async () => {
  open(['Deactivate', 'Activate'])
  await press(1)
  cleanup()
  open(['Save', 'Saved'])
  fireEvent.pointerDown(screen.getByRole('button'))
  fireEvent.click(screen.getByRole('button'), { detail: 1 })
  expect(pressed).toEqual(['Save'])
})

test('Enter that is held down presses a button or submits a form once, and still breaks lines', () => {
  render(
    <form>
      <button>Save</button>
      <input aria-label="Name" />
      <textarea aria-label="Text" />
    </form>,
  )
  const isTaken = (element: Element, repeat: boolean) => fireEvent.keyDown(element, { key: 'Enter', repeat })
  for (const element of [screen.getByRole('button'), screen.getByLabelText('Name')])
    expect([isTaken(element, false), isTaken(element, true)]).toEqual([true, false])
  expect(isTaken(screen.getByLabelText('Text'), true)).toBe(true)
})
