import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Truncate } from './layout.tsx'

test('the tooltip of a truncated line is its whole text, or another one that is given', () => {
  render(
    <>
      <Truncate lang="ja">薔薇の名前</Truncate>
      <Truncate title="Edit the condition">Released from 2020</Truncate>
      <Truncate>
        <b>Bold</b>
      </Truncate>
    </>,
  )
  expect(screen.getByText('薔薇の名前').title).toBe('薔薇の名前')
  expect(screen.getByText('Released from 2020').title).toBe('Edit the condition')
  expect(screen.getByText('Bold').parentElement?.title).toBe('')
})
