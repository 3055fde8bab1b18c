import { mediaApi } from '@mokuroku/contract/media'
import { screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aMedia, answer, main, open, reader, requests, settled, withoutServer } from './testing.tsx'

afterEach(() => document.body.replaceChildren())

test('while a test waits, the document is not printed for each attempt, but once at the end', async () => {
  document.body.innerHTML = '<p>something else</p>'
  const printed = vi.spyOn(document.body, 'outerHTML', 'get')
  const failed = screen.findByRole('button', { name: 'Save' }, { timeout: 200 })
  await expect(failed).rejects.toThrow(/^Unable to find role="button" and name "Save"[^]*something else/)
  expect(printed).toHaveBeenCalledOnce()
})

test('the error for several elements prints each of them', async () => {
  document.body.innerHTML = '<p>one page</p><p>another page</p>'
  const found = screen.findByText(/page/, {}, { timeout: 1 })
  await expect(found).rejects.toThrow(/multiple elements[^]*one page[^]*another page[^]*If this is intentional/)
})

test('no style sheet hides an element from a test', () => {
  document.body.innerHTML = '<style>p { display: none }</style><p>shown</p>'
  expect(getComputedStyle(screen.getByText('shown')).display).toBe('block')
})

describe('a test', () => {
  withoutServer()

  test('opens a screen', async () => {
    answer(mediaApi.find, aMedia())
    await open('/media/m')
    expect(await main().findByRole('heading', { name: 'Kokoro' })).toBeDefined()
  })

  test('does not show the screen of the test before, while its own is loading', async () => {
    await open('/users/u/history', { as: reader })
    await settled()
    expect(requests.map(({ path }) => path)).not.toContain('/api/media/m')
  })
})
