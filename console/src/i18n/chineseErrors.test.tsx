import { ApiError } from '@mokuroku/contract/call'
import { denial } from '@mokuroku/contract/denials'
import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import { afterEach, expect, test } from 'vitest'
import { showLanguage } from '#i18n/messages.ts'
import { messageOf, sentenceOf, serverMessage } from './errors.ts'

afterEach(() => showLanguage('en'))

test.each([
  [
    403,
    { code: 'forbidden', reason: denial('upload', '见习 $& “A”') },
    '您没有权限执行此操作。您的等级“见习 $& “A””不能上传文件。',
  ],
  [413, { code: 'tooLarge', message: reasonText('fileLarge', { limit: 10 }) }, '此文件过大。服务器最多接受 10 MB。'],
  [415, { code: 'mediaType', message: reasonText('notImage') }, '此文件无法作为图片读取。'],
  [413, undefined, '发生意外错误 (HTTP 413)：服务器前的代理以内容过大为由拒绝。请减少内容，或请管理员调高上限。'],
  [409, { code: 'duplicate', message: 'The name is taken' }, 'The name is taken'],
  [500, { code: 'internal', requestId: '0197-ab' }, '服务器错误，请稍后再试。请求 ID：0197-ab'],
])('in Chinese, status %i with %o shows the message for its code', async (status, body, message) => {
  await showLanguage('zh')
  expect(messageOf(new ApiError(status, body))).toBe(message)
})

test('in Chinese, field errors are translated by their codes', async () => {
  await showLanguage('zh')
  const errors = [fieldError('year', 'whole'), fieldError('translations.en', 'missing')]
  const message = 'year: Must be a whole number; translations.en: Is missing'
  expect(serverMessage(new ApiError(400, { code: 'invalid', message, errors }))).toBe(
    'year: 必须是整数；translations.en: 缺少此项',
  )
  expect(sentenceOf({ message: reasonText('commentLinks') })).toBe('评论只能是纯文本，不能包含链接。')
})
