// Finds a Chromium for the browser tests, because Playwright's own download is not available everywhere.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { installedByApt } from './apt.ts'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: CHROMIUM_PATH, the system's, Playwright's download, or Debian's package, which is installed
 * if running as root. Throws an error of one line that says what is missing.
 */
export async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  const debian = ['chromium-headless-shell', 'fonts-noto-cjk']
  const found = ofSystem() ?? ofPlaywright() ?? (installedByApt(...debian) ? ofSystem() : undefined)
  if (!found) {
    const ways = "install the package 'chromium', run 'npx playwright install chromium', or set CHROMIUM_PATH"
    throw new Error(`Chromium is missing: ${ways}`)
  }
  warnWithoutFonts()
  return found
}

function ofSystem(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)]
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file))
}

/** Playwright returns only the path of the full browser; a headless shell without it is in a sibling folder. */
function ofPlaywright(): string | undefined {
  const full = chromium.executablePath()
  if (existsSync(full)) return full
  const [shell] = globSync('chromium*/*/{chrome,chrome-headless-shell,headless_shell}', {
    cwd: path.resolve(full, '../../..'),
  })
  return shell && path.resolve(full, '../../..', shell)
}

function warnWithoutFonts(): void {
  const fonts = spawnSync('fc-list', [':lang=ja', 'family'], { encoding: 'utf8' })
  if (fonts.status === 0 && !fonts.stdout.trim())
    process.stderr.write("No font for Japanese and Chinese (Debian: 'fonts-noto-cjk'); screenshots will show boxes\n")
}
