import { searchApi } from '@mokuroku/contract/search'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { q } from '#api/query.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { useTitleOf } from '#parts/titles.ts'
import { folded, type Selected, titlesOf } from './fields.ts'
import css from './NearDuplicates.module.css'
import { compareTexts } from './texts.ts'

const MOST = 3

/** What the catalogue already has under a title of the selected media: whoever saves should know. */
export function NearDuplicates({ selected }: { selected: Selected }) {
  const texts = compareTexts.use()
  const titleOf = useTitleOf()
  const [title = ''] = titlesOf(selected)
  const rested = useDebounced(title)
  const found = useQuery({
    ...q(searchApi.search, { query: { q: rested.slice(0, 200), indexName: 'media', limit: 10 } }),
    enabled: rested !== '',
    meta: { quiet: true },
  })
  const titles = new Set(titlesOf(selected).map(folded))
  const near = (found.data?.hits ?? []).filter(
    ({ match, translations, originalTitle = '' }) =>
      match.kind === 'exact' ||
      [originalTitle, ...Object.values(translations).map((each) => each.title ?? '')].some((name) =>
        titles.has(folded(name)),
      ),
  )
  if (near.length === 0 || title === '') return null
  return (
    <Notice icon={Copy} title={texts.near} hint={texts.nearHint}>
      <ul className={css.near}>
        {near.slice(0, MOST).map((hit) => {
          const shown = titleOf(hit)
          return (
            <li key={hit._id}>
              <MediaLink id={hit._id} lang={shown.lang} target="_blank">
                {shown.text}
              </MediaLink>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
