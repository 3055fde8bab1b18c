import { useQuery } from '@tanstack/react-query'
import { Images, Upload } from 'lucide-react'
import { useCallback, useState } from 'react'
import { TrashLink } from '#parts/TrashLink.tsx'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import { toast } from '#ui/toast.ts'
import { useDropAnywhere } from '#ui/dropAnywhere.ts'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useShown } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { AssetCard, AssetCardSkeleton } from './AssetCard.tsx'
import css from './AssetList.module.css'
import { AssetListFilters } from './AssetListFilters.tsx'
import { assetPage, LIMIT, ListQuery } from './assetPage.ts'
import { useDeleteAsset } from './deleteAsset.tsx'
import { assetRefetchInterval, ASSET_QUERY_OPTIONS } from './refetch.ts'
import { useAssetRights } from './rights.ts'
import { Unused } from './Unused.tsx'
import { UploadPanel } from './UploadPanel.tsx'
import { addFiles, isUnfinished, useUploads } from './uploads.ts'
import { assetTexts } from './texts.ts'

export function AssetList() {
  const texts = assetTexts.use()
  const [{ page, type, status, search, unused }, setState, reset, turn] = useUrlState(ListQuery)
  const [uploading, setUploading] = useState(false)
  const close = useCallback(() => setUploading(false), [])
  const found = useQuery({
    ...assetPage({ page, type, status, search, unused }),
    ...ASSET_QUERY_OPTIONS,
    refetchInterval: ({ state }) => assetRefetchInterval(state.data?.data),
    meta: { quiet: true },
  })
  const loaded = useShown(found)
  const { ask, question } = useDeleteAsset()
  const { noUpload, noVideo, maxBytes } = useAssetRights()
  useDropAnywhere((files) => {
    if (noUpload) return toast.info(noUpload)
    setUploading(true)
    addFiles(files, { isPublic: true, maxBytes, noVideo })
  })
  useRowKeys()
  const { total, size, until } = loaded?.pagination ?? {}
  const isFiltered = Boolean(type || status || search || unused !== undefined)
  const shown = loaded?.data.length ?? 0
  const upload = <UploadButton onOpen={() => setUploading(true)} />

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Asset" />
          {upload}
        </>
      }
    >
      <Card flush>
        <AssetListFilters applied={{ type, status, search, unused }} onApply={setState} onReset={reset} />
        <LeftOut schema={ListQuery} />
        {unused && until && total !== undefined && total > 0 && !found.isPlaceholderData && (
          <Unused filters={{ type, status, search, until }} total={total} size={size ?? 0} />
        )}
        <NotRefreshed query={found} />
        <Loaded query={found} loading={texts.loading} failed={texts.failed} skeleton={<AssetListSkeleton />}>
          {({ data }) =>
            data.length > 0 ? (
              <ul className={css.grid} aria-label={texts.title} data-list>
                {data.map((asset) => (
                  <AssetCard key={asset._id} asset={asset} onDelete={ask} />
                ))}
              </ul>
            ) : (
              <EmptyList
                icon={Images}
                title={texts.empty}
                hints={{ filtered: texts.emptyFiltered, empty: texts.emptyCatalogue }}
                isLate={page > 1}
                isFiltered={isFiltered}
                onFirstPage={() => setState({ page: 1 })}
                onReset={reset}
              >
                {upload}
              </EmptyList>
            )
          }
        </Loaded>
        <RangePager
          page={page}
          limit={LIMIT}
          shown={shown}
          total={total}
          isCapped={Boolean(status || search || unused === false || (unused && type))}
          onPage={turn}
        />
      </Card>
      {question}
      {uploading && <UploadPanel onClose={close} />}
    </Page>
  )
}

function UploadButton({ onOpen }: { onOpen: () => void }) {
  const texts = assetTexts.use()
  const { noUpload } = useAssetRights()
  const left = useUploads().filter(isUnfinished).length
  return (
    <Button variant="primary" icon={Upload} reason={noUpload} onClick={onOpen}>
      {texts.upload.button}
      {left > 0 && <span className={css.left}>{texts.upload.left(left)}</span>}
    </Button>
  )
}

const AssetListSkeleton = () => (
  <div className={css.grid} aria-hidden>
    {Array.from({ length: LIMIT }, (_, card) => (
      <AssetCardSkeleton key={card} />
    ))}
  </div>
)
