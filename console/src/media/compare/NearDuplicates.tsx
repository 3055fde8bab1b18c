import { searchApi } from '@mokuroku/contract/search'
import { useQueries } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { q } from '#api/query.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { useTitleOf } from '#parts/titles.ts'
import { Row } from '#ui/layout.tsx'
import { folded, type Selected, titlesOf } from './fields.ts'
import css from './NearDuplicates.module.css'
import { compareTexts } from './texts.ts'

const MAX_SHOWN = 3
/** How many titles are searched for, the original one first. */
const ASKED = 4

/** Warns if the catalogue already has media with a title of the selected one. */
export function NearDuplicates({ selected }: { selected: Selected }) {
  const texts = compareTexts.use()
  const titleOf = useTitleOf()
  const wanted = useDebounced(titlesOf(selected).slice(0, ASKED).join('\n'))
  const found = useQueries({
    queries: wanted
      .split('\n')
      .filter(Boolean)
      .map((title) => ({
        ...q(searchApi.search, { query: { q: title.slice(0, 200), indexName: 'media', limit: 10 } }),
        meta: { quiet: true },
      })),
    combine: (answers) => answers.flatMap(({ data }) => data?.hits ?? []),
  })
  const titles = new Set(titlesOf(selected).map(folded))
  const hits = [...new Map(found.map((hit) => [hit._id, hit])).values()]
  const sharedBy = ({ translations, originalTitle = '' }: (typeof hits)[number]): number =>
    [originalTitle, ...Object.values(translations).map((each) => each.title ?? '')].filter((name) =>
      titles.has(folded(name)),
    ).length
  // The more titles two media share, the likelier they are duplicates.
  const near = hits
    .filter((hit) => hit.match.kind === 'exact' || sharedBy(hit) > 0)
    .toSorted((one, two) => sharedBy(two) - sharedBy(one))
  if (near.length === 0) return null
  return (
    <Notice icon={Copy} title={texts.near} hint={texts.nearHint}>
      <Row as="ul" align="stretch" wrap className={css.near}>
        {near.slice(0, MAX_SHOWN).map((hit) => {
          const shown = titleOf(hit)
          return (
            <li key={hit._id}>
              <MediaLink id={hit._id} lang={shown.lang} target="_blank">
                {shown.text}
              </MediaLink>
            </li>
          )
        })}
      </Row>
    </Notice>
  )
}
