import { dashboardApi } from '@mokuroku/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, FileUp, Languages, Plus, UserPlus } from 'lucide-react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { areaTexts, useMessages } from '#i18n/messages.ts'
import { useRefusal } from '#parts/refusal.ts'
import { buttonClass } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'

/** Shown if nothing needs work: while the catalogue is empty, links to the first steps that the user may take. */
export function NothingToDo() {
  const texts = nothingTexts.use()
  const { kinds, shell } = useMessages()
  const { data: stats } = useQuery(q(dashboardApi.stats))
  const { role } = useMe()
  const refusal = useRefusal()
  const isEmpty = stats && stats.mediaCount + stats.characterCount + stats.tagCount === 0
  const creates = refusal('create', 'Media') === undefined
  const manages = role === 'admin'
  if (!isEmpty || !(creates || manages))
    return <EmptyState icon={CircleCheck} title={texts.empty} hint={texts.emptyHint} />
  const steps = [
    ...(creates ? [{ to: '/media/new', icon: Plus, label: kinds.Media.add }] : []),
    ...(creates ? [{ to: '/import', icon: FileUp, label: shell.import }] : []),
    ...(manages ? [{ to: '/settings', icon: Languages, label: texts.languages }] : []),
    ...(manages ? [{ to: '/users', icon: UserPlus, label: texts.invite }] : []),
  ]
  return (
    <EmptyState title={texts.first} hint={texts.firstHint}>
      {steps.map(({ to, icon: Icon, label }) => (
        <Link key={to} to={to} className={buttonClass()}>
          <Icon size={16} aria-hidden />
          {label}
        </Link>
      ))}
    </EmptyState>
  )
}

const nothingTexts = areaTexts(
  {
    empty: 'Nothing to do',
    emptyHint: 'Findings in entries that you can edit, and your drafts, appear here.',
    first: 'The catalogue is empty',
    firstHint: 'Start with one of these:',
    languages: 'Set the languages',
    invite: 'Invite colleagues',
  },
  {
    empty: '暂无待处理的事项',
    emptyHint: '您可以编辑的条目中发现的问题，以及您未完成的编辑，会显示在这里。',
    first: '资料库还是空的',
    firstHint: '可以从这里开始：',
    languages: '设置语言',
    invite: '邀请同事',
  },
)
