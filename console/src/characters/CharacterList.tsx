import { CharacterQuery, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, UserRound } from 'lucide-react'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useRefusal } from '#parts/refusal.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { CharacterCard, CharacterCardSkeleton } from './CharacterCard.tsx'
import css from './CharacterList.module.css'
import { CharacterSearch } from './CharacterSearch.tsx'
import { useDeleteCharacter } from './deleteCharacter.tsx'

/** What the address of the list may hold. */
const ListQuery = z.pick(CharacterQuery, { page: true, limit: true })

export function CharacterList() {
  const { characters: texts, common } = useMessages()
  const [{ page, limit }, setState] = useUrlState(ListQuery)
  const found = useQuery(qList(charactersApi.list, { query: { page, limit } }))
  const { ask, question } = useDeleteCharacter()
  useRowKeys()
  const total = found.data?.pagination.total ?? 0
  const from = found.data?.characters.length ? (page - 1) * limit + 1 : 0
  const to = from ? from + (found.data?.characters.length ?? 0) - 1 : 0

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Character" />
          <AddCharacter />
        </>
      }
    >
      <Card flush>
        <CharacterSearch />
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={
            <div className={css.grid} aria-hidden>
              {Array.from({ length: limit }, (_, card) => (
                <CharacterCardSkeleton key={card} />
              ))}
            </div>
          }
        >
          {({ characters }) =>
            characters.length === 0 ? (
              <Empty isLate={page > 1} toFirst={() => setState({ page: 1 })} />
            ) : (
              <ul className={css.grid} aria-label={texts.title} data-list>
                {characters.map((character) => (
                  <CharacterCard key={character._id} character={character} onDelete={ask} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {total > 0 && (
          <Pager page={page} hasNext={page * limit < total} onPage={(next) => setState({ page: next })}>
            {common.showing(from, to, total)}
          </Pager>
        )}
      </Card>
      {question}
    </Page>
  )
}

function AddCharacter() {
  const { characters: texts } = useMessages()
  const reason = useRefusal()('create', 'Character')
  if (reason) {
    return (
      <Button variant="primary" icon={Plus} reason={reason}>
        {texts.add}
      </Button>
    )
  }
  return (
    <Link to="/characters/new" className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {texts.add}
    </Link>
  )
}

function Empty({ isLate, toFirst }: { isLate: boolean; toFirst: () => void }) {
  const { characters: texts } = useMessages()
  return (
    <EmptyState icon={UserRound} title={texts.empty} hint={isLate ? texts.emptyPage : texts.emptyCatalogue}>
      {isLate ? <Button onClick={toFirst}>{texts.firstPage}</Button> : <AddCharacter />}
    </EmptyState>
  )
}
