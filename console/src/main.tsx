import '#ui/tokens.css'
import '#ui/base.css'
import { createRoot } from 'react-dom/client'
import { resumeDeliveries } from '#api/delivery.ts'
import { followLanguage, followTheme, restoreLanguage } from '#api/preferences.ts'
import { followOtherTabs, followSession, restoreSession } from '#api/signIn.ts'
import { installTrustedTypesPolicy } from '#lib/markup.ts'
import { retryStyleSheets } from '#ui/styleSheets.ts'
import { App } from './App.tsx'

// Tells zod not to try `eval`, which it uses for speed but the page's Content-Security-Policy forbids. Set globally,
// because zod is loaded later, with the first screen that validates something.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

installTrustedTypesPolicy()
retryStyleSheets()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followTheme()
followLanguage()
void restoreSession()
followOtherTabs()
followSession()
resumeDeliveries()
void import('./afterStart.ts').then(({ afterStart }) => afterStart())
void restoreLanguage().finally(() => createRoot(root).render(<App />))
