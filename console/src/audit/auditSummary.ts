import type { AuditAction, AuditRow } from '@mokuroku/contract/audit'
import { localized } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { enumerated } from '#lib/text.ts'
import { aiTexts } from '#parts/ai/texts.ts'
import { useChangeText } from '#parts/history/changeText.ts'
import { serverTexts } from '#parts/serverTexts.ts'
import { texts as area } from './texts.ts'

/** Returns a function that summarizes an entry in one line; '' if the action says it all. */
export function useAuditSummary() {
  const texts = area.use()
  const language = useLanguage()
  const of = {
    settings: useChangeText({ kind: 'Setting' }),
    users: useChangeText({ kind: 'User' }),
    tiers: useChangeText({ kind: 'Tier' }),
  }
  const { summary } = texts
  const { jobKinds, mailFailures } = serverTexts.use()
  const { codes: aiCodes } = aiTexts.use()
  const listed = (parts: string[]) => enumerated(parts.filter(Boolean), language)
  const numberIn = (value: unknown) => (typeof value === 'number' ? count(value, language) : '')

  const tested = (what: string, reasons: Readonly<Record<string, string>>, { code }: AuditRow['details']) => {
    const reason = reasons[textIn(code)]
    return reason ? summary.reason(what, reason) : what
  }
  const changesIn = (details: AuditRow['details'], { named, valueOf }: ReturnType<typeof useChangeText>) => {
    const fields = (Array.isArray(details.changed) ? details.changed : []).map(String)
    return listed(
      fields.map((field) => {
        const turned: unknown = details[field]
        const name = named({ field, language: undefined })
        if (!Array.isArray(turned)) return name
        const [from = '', to = ''] = turned.map((value) => valueOf(field, value))
        return typeof turned[1] === 'boolean' ? summary.reason(name, to) : summary.turned(name, from, to)
      }),
    )
  }

  return ({ action, label, details, actorName }: AuditRow): string => {
    const [text, what] = [textIn(details.reason), textIn(details.what)]
    switch (action) {
      case 'access.forbidden':
      case 'access.limited':
        return text ? summary.reason(label, localized(text)) : label
      case 'settings.changed':
        return changesIn(details, of.settings)
      case 'users.changed':
      case 'tiers.changed': {
        const changes = changesIn(details, action === 'users.changed' ? of.users : of.tiers)
        return changes ? summary.reason(label, changes) : label
      }
      case 'settings.tested':
        return what === 'ai'
          ? tested(summary.aiTest, aiCodes, details)
          : tested(summary.mailTest, mailFailures, details)
      case 'settings.jobChanged': {
        const kind = textIn(details.kind)
        return summary.job[what === 'cancel' ? 'cancel' : 'retry'](jobKinds[kind] ?? kind)
      }
      case 'ai.called': {
        const tokens = Number(details.inputTokens) + Number(details.outputTokens)
        return listed([textIn(details.model), tokens > 0 ? summary.tokens(count(tokens, language)) : ''])
      }
      case 'audit.exported':
        return textIn(details.format).toUpperCase()
      case 'audit.verified':
        return summary.checked(numberIn(details.entries))
      case 'trash.versions':
      case 'trash.activities':
      case 'audit.deleted':
        return summary.older(numberIn(details.count), textIn(details.before).slice(0, 10))
      case 'history.rolledBack':
        return listed([summary.changes(numberIn(details.count)), text])
      case 'batches.ended':
        return listed([summary.changes(numberIn(details.changed)), text])
      case 'trash.emptied':
        return summary.things(numberIn(details.count))
      case 'operator.ran':
        return textIn(details.command)
      case 'signIn.done':
      case 'signIn.out':
        return ''
      default:
        return label === actorName ? '' : label
    }
  }
}

/** The actions whose `count` is the number of things that they changed or deleted. */
const COUNTING = new Set<AuditAction>([
  'history.rolledBack',
  'trash.emptied',
  'trash.versions',
  'trash.activities',
  'audit.deleted',
])

/** How many more identical events are coalesced into an entry. */
export const foldedIn = ({ action, details }: Pick<AuditRow, 'action' | 'details'>): number =>
  typeof details.count === 'number' && !COUNTING.has(action) ? details.count : 0

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
