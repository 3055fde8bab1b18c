import { fireEvent, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Avatar } from './Avatar.tsx'

test('a picture that cannot be loaded is replaced by the initial until there is another one', () => {
  const { container, rerender } = render(<Avatar name="Rin" url="/files/1" />)
  fireEvent.error(container.querySelector('img') as HTMLImageElement)
  expect(container.textContent).toBe('R')
  rerender(<Avatar name="Rin" url="/files/2" />)
  expect(container.querySelector('img')?.src).toContain('/files/2')
})
