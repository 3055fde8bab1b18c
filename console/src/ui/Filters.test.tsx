import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { type FilterFields, Filters } from './Filters.tsx'

afterEach(cleanup)

interface Applied {
  search?: string | undefined
  isOngoing?: boolean | undefined
  sort?: 'title' | undefined
  page: number
}

const fields: FilterFields<Applied> = {
  search: { label: 'Search', placeholder: 'By title' },
  isOngoing: { label: 'Status', all: 'All', options: [{ value: false, label: 'Completed' }] },
  sort: { label: 'Sort', all: 'Newest', options: [{ value: 'title', label: 'Title' }], appliesAtOnce: true },
}

function show(hasSubmit: boolean, applied: Applied = { page: 3 }) {
  const onApply = vi.fn()
  const bar = (next: Applied) => (
    <Filters label="Filters" {...{ fields, hasSubmit, onApply }} applied={next} onReset={() => undefined} />
  )
  const { rerender } = render(bar(applied))
  return { onApply, change: (next: Applied) => rerender(bar(next)), user: userEvent.setup() }
}

test('with a button, choices apply only when it is clicked, and only for the given fields', async () => {
  const { onApply, user } = show(true)
  await user.type(screen.getByLabelText('Search'), ' moon ')
  await user.selectOptions(screen.getByLabelText('Status'), 'Completed')
  expect(onApply).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  expect(onApply.mock.calls).toEqual([[{ search: 'moon', isOngoing: false, sort: undefined }]])
})

test('with a button, a new sort applies immediately, together with the pending choices', async () => {
  const { onApply, user } = show(true, { search: 'moon', page: 3 })
  await user.selectOptions(screen.getByLabelText('Status'), 'Completed')
  await user.selectOptions(screen.getByLabelText('Sort'), 'Title')
  expect(onApply.mock.calls).toEqual([[{ search: 'moon', isOngoing: false, sort: 'title' }]])
})

test('discards pending input when the applied filters change, and on Reset', async () => {
  const { change, user } = show(true)
  const search = () => screen.getByLabelText<HTMLInputElement>('Search').value
  await user.type(screen.getByLabelText('Search'), 'moon')
  change({ search: 'sun', page: 1 })
  expect(search()).toBe('sun')
  await user.type(screen.getByLabelText('Search'), 's')
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  expect(search()).toBe('')
})

test('without a button, a choice adds a history entry, and a search replaces the current one', async () => {
  const { onApply, user } = show(false)
  await user.selectOptions(screen.getByLabelText('Status'), 'Completed')
  expect(onApply.mock.calls).toEqual([[{ isOngoing: false }, { replace: false }]])
  await user.type(screen.getByLabelText('Search'), 'moon{Enter}')
  await expect.poll(() => onApply.mock.lastCall).toEqual([{ search: 'moon' }, { replace: true }])
})

test('a search keeps what is typed while an earlier part of it is being applied, and follows the URL afterwards', async () => {
  const { onApply, change, user } = show(false)
  const search = () => screen.getByLabelText<HTMLInputElement>('Search')
  await user.type(search(), 'moo')
  await expect.poll(() => onApply.mock.lastCall).toEqual([{ search: 'moo' }, { replace: true }])
  await user.type(search(), 'n')
  change({ search: 'moo', page: 1 })
  expect(search().value).toBe('moon')
  await expect.poll(() => onApply.mock.lastCall).toEqual([{ search: 'moon' }, { replace: true }])
  change({ search: 'moon', page: 1 })
  change({ page: 1 })
  expect(search().value).toBe('')
  change({ search: 'moon', page: 1 })
  expect(search().value).toBe('moon')
})
