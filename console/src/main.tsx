import '#ui/tokens.css'
import '#ui/base.css'
import { createRoot } from 'react-dom/client'
import { resumeDeliveries } from '#api/delivery.ts'
import { followTheme, restoreLanguage } from '#api/preferences.ts'
import { followOtherTabs, restoreSession } from '#api/signIn.ts'
import { installTrustedTypesPolicy } from '#lib/markup.ts'
import { App } from './App.tsx'

// The page's Content-Security-Policy allows no eval, which zod would otherwise try for speed. It reads its settings from
// here when a screen that checks something loads it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

installTrustedTypesPolicy()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followTheme()
void restoreSession()
followOtherTabs()
resumeDeliveries()
void restoreLanguage().finally(() => createRoot(root).render(<App />))
