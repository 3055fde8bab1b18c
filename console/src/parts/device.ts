import { browserOf } from '@mokuroku/contract/userAgent'
import { areaTexts } from '#i18n/messages.ts'

const texts = areaTexts(
  { on: (browser: string, system: string) => `${browser} on ${system}`, unknown: 'Unknown browser' },
  { on: (browser, system) => `${system} 上的 ${browser}`, unknown: '未知浏览器' },
)

/** Returns a function that describes a User-Agent header: 'Chrome on Windows'. */
export function useDevice() {
  const { on, unknown } = texts.use()
  return (userAgent: string) => {
    const { browser, system } = browserOf(userAgent)
    return browser && system ? on(browser, system) : browser || system || unknown
  }
}
