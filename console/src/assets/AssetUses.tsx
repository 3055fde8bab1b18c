import { assetsApi } from '@mokuroku/contract/assets'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { File, Link2Off } from 'lucide-react'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS, isKind, screenOf } from '#lib/areas.ts'
import { NAMELESS, nameOfEntity } from '#parts/titles.ts'
import { usesTexts } from '#parts/usesTexts.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Muted } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './AssetDetail.module.css'
import { assetTexts } from './texts.ts'

/** Fields in which an asset can be used, in display order. */
const FIELDS = ['cover', 'assets', 'avatar'] as const

/** Lists what uses this asset, with links. */
export function AssetUses({ id }: { id: string }) {
  const texts = assetTexts.use()
  const words = usesTexts.use()
  const language = useLanguage()
  const uses = useQuery({ ...q(assetsApi.uses, { id }), staleTime: 0, meta: { quiet: true } })
  return (
    <Card title={texts.usedIn} count={uses.data?.total}>
      <Loaded query={uses} skeleton={<SkeletonLines lines={2} height={24} />} failed={words.failed}>
        {({ first, total }) =>
          total === 0 ? (
            <EmptyState icon={Link2Off} title={texts.noUses} hint={texts.noUsesHint} />
          ) : (
            <>
              <ul className={css.uses}>
                {first.map((each) => {
                  const { entityType, entityId, fields } = each
                  const { text, lang } = nameOfEntity(each, language) ?? NAMELESS
                  const Icon = isKind(entityType) ? AREAS[entityType].icon : File
                  const use = (
                    <>
                      <Icon size={16} aria-hidden />
                      <span lang={lang}>{text}</span>
                      <Muted className={css.fields}>
                        {texts.fieldsOfUse(FIELDS.filter((field) => fields.includes(field)))}
                      </Muted>
                    </>
                  )
                  return (
                    <li key={entityId}>
                      {isKind(entityType) ? (
                        <Link to={screenOf(entityType, entityId)} className={css.use}>
                          {use}
                        </Link>
                      ) : (
                        <span className={css.use}>{use}</span>
                      )}
                    </li>
                  )
                })}
              </ul>
              {total > first.length && <p className={css.more}>{words.more(total - first.length)}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
