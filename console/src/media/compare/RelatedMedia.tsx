import { mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { q } from '#api/query.ts'
import { toastFailure } from '#api/queryClient.ts'
import { Cover } from '#parts/Cover.tsx'
import { TypeBadge } from '#parts/MediaBadges.tsx'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { useTitleOf } from '#parts/titles.ts'
import { useRecentMedia } from '#parts/useRecentMedia.ts'
import { IconButton } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import css from './Picked.module.css'
import { compareTexts } from './texts.ts'

interface Props {
  ids: readonly string[]
  onChange: (ids: string[]) => void
}

/** The media to which the new one is related. */
export function RelatedMedia({ ids, onChange }: Props) {
  const texts = compareTexts.use()
  const [text, setText] = useState('')
  const [found, setFound] = useState<ReadonlyMap<string, Choice>>(new Map())
  const add = (choice: Choice) => {
    setText('')
    if (ids.includes(choice._id)) return toast.info(texts.relatedTwice)
    setFound(new Map(found).set(choice._id, choice))
    onChange([...ids, choice._id])
    toast.success(texts.relatedAdded)
  }
  return (
    <Stack as="section" gap={2} className={css.picked} aria-label={texts.related}>
      <h3 className={css.title}>
        {texts.related}
        <Muted className={css.count}>{ids.length}</Muted>
      </h3>
      <SearchSelect
        index="media"
        takesFirst
        label={texts.relatedSearch}
        placeholder={texts.searchHint}
        text={text}
        onText={setText}
        onChoose={add}
        recentTitle={texts.recent}
        {...useRecentMedia()}
      />
      {ids.length === 0 && <Muted as="p">{texts.relatedEmpty}</Muted>}
      <Stack as="ul" gap={1}>
        {ids.map((id) => (
          <Related
            key={id}
            id={id}
            hit={found.get(id)}
            onRemove={() => {
              onChange(ids.filter((each) => each !== id))
              toast.success(texts.relatedRemoved)
            }}
          />
        ))}
      </Stack>
    </Stack>
  )
}

/** Shows the complete media item, or what the search result says of it if that cannot be loaded. */
function Related({ id, hit, onRemove }: { id: string; hit: Choice | undefined; onRemove: () => void }) {
  const texts = compareTexts.use()
  const { data, error, isPending } = useQuery({ ...q(mediaApi.find, { id }), meta: { quiet: true } })
  useEffect(() => {
    if (error) toastFailure(compareTexts.get().completeFailed, error)
  }, [error])
  const media = data ?? hit
  const title = useTitleOf()(media ?? { translations: {}, originalTitle: id })
  if (!media && isPending) return <Skeleton height={44} />
  return (
    <li className={css.item}>
      <Cover cover={media?.cover ?? ''} entity={media} size="row" />
      <Row as="span" wrap className={css.name}>
        <span lang={title.lang}>{title.text}</span>
        {data && <TypeBadge {...data} />}
      </Row>
      <IconButton size="small" icon={X} label={texts.remove(title.text)} onClick={onRemove} />
    </li>
  )
}
