import { fieldError } from '@mokuroku/contract/faults'
import { expect, test } from 'vitest'
import { invalid } from './errors.ts'

test('the message of invalid input names the first errors', () => {
  const errors = ['tags.0', 'tags.1', '', 'cover'].map((path) => fieldError(path, 'missing'))
  expect(() => invalid(errors)).toThrow('tags.0: Is missing; tags.1: Is missing; Is missing')
  expect(() => invalid(errors, 'Please send a file.')).toThrow('Please send a file.')
})
