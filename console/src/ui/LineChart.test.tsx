import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { LineChart } from './LineChart.tsx'

afterEach(cleanup)

test('the category under the pointer is read out, also over a text', () => {
  const labels = ['Genre', 'Theme', 'Custom']
  const series = [{ name: 'Tags Count', values: [1, 2, 3] }]
  const texts = { title: 'Usage', keys: '', ownScale: '' }
  render(<LineChart labels={labels} series={series} locale="en" {...texts} />)
  const chart = screen.getByRole('img', { name: 'Usage' })
  chart.getBoundingClientRect = () => new DOMRect(100, 0, 640, 300)
  const label = screen.getByText('Theme')
  // As Firefox and Safari report it there.
  const event = new PointerEvent('pointermove', { bubbles: true, clientX: 100 + 320 })
  Object.defineProperty(event, 'offsetX', { value: 10 })
  fireEvent(label, event)
  expect(screen.getByRole('status').textContent).toBe('Theme: Tags Count 2')
})
