import { Username } from '@mokuroku/contract/users'
import { describe, expect, test } from 'vitest'
import { skeletonOf } from './usernames.ts'

describe('class 9: usernames that look alike', () => {
  test.each([
    ['capitals', 'ADMIN'],
    ['Cyrillic letters', 'аdmіn'],
    ['full width', 'ａｄｍｉｎ'],
    ['a soft hyphen', 'a\u00addmin'],
    ['a zero-width character', 'admin\u200b'],
    ['a variation selector', 'admin\ufe0f'],
    ['mathematical letters', '𝐚𝐝𝐦𝐢𝐧'],
    ['a dotless i', 'admın'],
  ])('%s', (_, name) => expect(skeletonOf(name)).toBe(skeletonOf('admin')))

  test.each([
    ['paypal', 'pаураl'],
    ['modern', 'modem'],
    ['user0', 'userO'],
    ['l1|', 'lll'],
  ])('%s and %s', (one, other) => expect(skeletonOf(other)).toBe(skeletonOf(one)))

  test.each([
    ['admin', 'adm1n'],
    ['admin', 'admins'],
    ['Jörg', 'Jorg'],
    ['直', '真'],
    ['ハル', 'はる'],
    ['rin', 'Lin'],
  ])('but not %s and %s', (one, other) => expect(skeletonOf(other)).not.toBe(skeletonOf(one)))
})

describe('a username', () => {
  test.each([
    ['\uff21\uff22\uff23', 'ABC'],
    ['  Rin  ', 'Rin'],
    ['Rin   Tohsaka', 'Rin Tohsaka'],
    ['Rin\u3000Tohsaka', 'Rin Tohsaka'],
    ['e\u0301tude', 'étude'],
    ['目録係', '目録係'],
    ['ผู้ใช้', 'ผู้ใช้'],
    ['(^^)', '(^^)'],
    ['🦊🦊🦊', '🦊🦊🦊'],
  ])('%j is normalized to %j', (given, kept) => expect(Username.parse(given)).toBe(kept))

  test.each([
    ['a line break', 'ad\nmin'],
    ['a line separator', 'ad\u2028min'],
    ['a paragraph separator', 'ad\u2029min'],
    ['only invisible characters', '\u200b\u200b\u200b'],
    ['a bidi override', 'admin\u202e'],
    ['a soft hyphen', 'a\u00addmin'],
    ['a control character', 'ad\u0085min'],
    ['a private-use character', 'admin\ue000'],
    ['an unassigned character', 'admin\u0378'],
    ['an unpaired surrogate', 'admin\ud800'],
    ['only two characters', ' ab '],
    ['only combining marks', '\u0301\u0302\u0303'],
    ['only Hangul fillers', '\u3164\u3164\u3164'],
    ['only empty Braille patterns', '\u2800\u2800\u2800'],
  ])('with %s is refused', (_, name) => expect(Username.safeParse(name).success).toBe(false))
})
