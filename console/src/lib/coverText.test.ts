import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { coverText, GROUNDS } from './coverText.ts'

test('shortens a title for its cover according to its script', () => {
  expect(coverText('葬送のフリーレン', 'a')).toMatchObject({ short: '葬送のフリーレン', isVertical: true })
  expect(coverText('Re:ゼロから始める異世界生活', 'a').short).toBe('Reゼロから始め')
  expect(coverText('Thunderbolt 東離劍遊紀', 'a')).toMatchObject({ short: 'T東', isVertical: false })
  expect(coverText('Attack on Titan', 'a')).toMatchObject({ short: 'Ao', long: 'Attack on Titan', isVertical: false })
  expect(coverText('Преступление и наказание', 'a').short).toBe('Пи')
  expect(coverText('Dracula', 'a').short).toBe('Dr')
  expect(coverText('ตำนาน', 'a').isVertical).toBe(false)
  expect(coverText('!!', 'a')).toMatchObject({ short: '', long: '!!' })
  expect(coverText('', 'a')).toMatchObject({ short: '', long: '' })
})

test('the background depends on the seed alone, and every background is used', () => {
  expect(coverText('One', 'x').ground).toBe(coverText('Two', 'x').ground)
  const grounds = new Set(Array.from({ length: 200 }, (_, at) => coverText('', `id ${at}`).ground))
  expect(grounds.size).toBe(GROUNDS)
})

describe('the text has enough contrast on every background', () => {
  const css = readFileSync(new URL('../ui/tokens.css', import.meta.url), 'utf8')
  const [, light = '', dark = ''] = css.split(/color-scheme: (?:light|dark);/)
  test.each([
    ['light', light],
    ['dark', dark],
  ])('%s', (_theme, tokens) => {
    const of = (name: string) => luminance(new RegExp(`--${name}: #([0-9a-f]{6})`).exec(tokens)?.[1] ?? '')
    const ratios = Array.from({ length: GROUNDS }, (_, at) => contrast(of('cover-ink'), of(`cover-${at}`)))
    expect(Math.min(...ratios)).toBeGreaterThan(7)
  })
})

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
