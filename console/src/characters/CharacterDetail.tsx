import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { SquarePen, Trash2 } from 'lucide-react'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { Cover } from '#parts/Cover.tsx'
import { DetailFrame, useBackTo } from '#parts/DetailFrame.tsx'
import { WithHistory } from '#parts/history/WithHistory.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { original } from '#parts/titles.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './CharacterDetail.module.css'
import { CharacterFacts } from './CharacterFacts.tsx'
import { CharacterMedia } from './CharacterMedia.tsx'
import { useDeleteCharacter } from './deleteCharacter.tsx'
import { useNameOf } from './nameOf.ts'

export function CharacterDetail() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const character = useQuery({ ...q(charactersApi.find, { id }), meta: { quiet: true } })
  return (
    <DetailFrame query={character} back={useBack()} texts={useMessages().characters.detail} pending={<Pending />}>
      {(found) => <Found character={found} />}
    </DetailFrame>
  )
}

function Found({ character }: { character: Character }) {
  const name = useNameOf()(character)
  const back = useBack()
  const navigate = useNavigate()
  const refusal = useRefusal()('edit', 'Character', character.createdBy)
  const { ask, question } = useDeleteCharacter(() => navigate({ to: back.to, search: back.search }))
  const published = original(character.originalName)
  return (
    <Page
      title={name.text}
      back={back}
      actions={<Actions character={character} onDelete={() => ask(character)} />}
      hero={
        <div className={css.hero}>
          <span className={css.portrait}>
            <Cover cover={character.cover} size="tile" />
          </span>
          <div className={css.names}>
            <h1 className={css.name} lang={name.lang}>
              {name.text}
            </h1>
            {published && published.text !== name.text && (
              <p className={css.original} lang={published.lang}>
                {published.text}
              </p>
            )}
          </div>
        </div>
      }
    >
      <WithHistory kind="Character" id={character._id} refusal={refusal}>
        <div className={css.columns}>
          <CharacterFacts character={character} />
          <CharacterMedia character={character} />
        </div>
      </WithHistory>
      {question}
    </Page>
  )
}

function Actions({ character, onDelete }: { character: Character; onDelete: () => void }) {
  const { common } = useMessages()
  const refusal = useRefusal()
  const noEdit = refusal('edit', 'Character', character.createdBy)
  return (
    <>
      <Button icon={Trash2} reason={refusal('delete', 'Character', character.createdBy)} onClick={onDelete}>
        {common.delete}
      </Button>
      {noEdit ? (
        <Button variant="primary" icon={SquarePen} reason={noEdit}>
          {common.edit}
        </Button>
      ) : (
        <Link to={`/characters/${character._id}/edit`} className={buttonClass({ variant: 'primary' })}>
          <SquarePen size={16} aria-hidden />
          {common.edit}
        </Link>
      )}
    </>
  )
}

function Pending() {
  const { detail: texts } = useMessages().characters
  return <Page title={texts.details} back={useBack()} hero={<Bones loading={texts.loading} />} />
}

/** The shape of the whole page, while the character is on its way. */
function Bones({ loading }: { loading: string }) {
  return (
    <div className={css.bones} aria-busy="true">
      <div className={css.hero}>
        <span className={css.portrait}>
          <Skeleton height="100%" />
        </span>
        <div className={css.names}>
          <Skeleton width="min(320px, 100%)" height={32} />
          <p role="status" className={css.quiet}>
            {loading}
          </p>
        </div>
      </div>
      <div className={css.columns} aria-hidden>
        <Skeleton height={320} />
        <Skeleton height={240} />
      </div>
    </div>
  )
}

function useBack() {
  const { detail: texts } = useMessages().characters
  return useBackTo('/characters', texts.back)
}
