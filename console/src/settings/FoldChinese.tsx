import { type FoldResult, languagesApi, PLAIN_CHINESE } from '@mokuroku/contract/languages'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS, screenOf } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { toast } from '#ui/toast.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

/**
 * Offers to convert texts tagged as Chinese without a script (`zh`) to Simplified Chinese, with a preview. Nothing without any.
 */
export function FoldChinese() {
  const { data } = useQuery({ ...q(languagesApi.preview, { query: PLAIN_CHINESE }), meta: { quiet: true } })
  return data?.kinds.some((each) => each.count > 0) ? <Offer preview={data} /> : null
}

function Offer({ preview: { kinds, first } }: { preview: FoldResult }) {
  const { fold } = area.use()
  const language = useLanguage()
  const [asking, setAsking] = useState(false)
  const { mutateAsync } = useMutation({
    mutationFn: () => call(languagesApi.fold, { body: PLAIN_CHINESE }),
    meta: { failure: fold.failed },
    onSuccess: (done) => toast.success(fold.done(count(totalOf(done.kinds, 'count'), language))),
  })
  const kept = totalOf(kinds, 'kept')
  return (
    <Card title={fold.title}>
      <div className={css.form}>
        <p className={css.hint}>{fold.hint}</p>
        <ul>
          {kinds
            .filter((each) => each.count > 0)
            .map(({ entityType, count: many }) => {
              const { one, many: several } = AREAS[entityType][language]
              return <li key={entityType}>{`${count(many, language)} ${many === 1 ? one : several}`}</li>
            })}
        </ul>
        {kept > 0 && <p>{fold.kept(count(kept, language))}</p>}
        <details>
          <summary>{fold.first(first.length)}</summary>
          <ul>
            {first.map(({ entityType, _id, title, kept: keeps }) => (
              <li key={_id}>
                <Link to={screenOf(entityType, _id)}>{title}</Link>
                {keeps && ` · ${fold.keeps}`}
              </li>
            ))}
          </ul>
        </details>
        <footer className={css.footer}>
          <Button onClick={() => setAsking(true)}>{fold.button}</Button>
        </footer>
      </div>
      {asking && (
        <Confirm
          title={fold.title}
          confirm={fold.button}
          onConfirm={() => mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>{fold.question}</p>
        </Confirm>
      )}
    </Card>
  )
}

const totalOf = (kinds: FoldResult['kinds'], name: 'count' | 'kept'): number =>
  kinds.reduce((sum, each) => sum + each[name], 0)
