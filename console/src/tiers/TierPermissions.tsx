import type { Tier } from '@mokuroku/contract/tiers'
import { Check, Minus, Upload } from 'lucide-react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { useFlagName } from './flagName.ts'
import { permissionOf } from './permissionOf.ts'
import { FLAGS, tierTexts } from './texts.ts'
import css from './TierPermissions.module.css'

/** All permissions of a tier as Yes or No, its upload size in MB, and what differs from the tier below. */
export function TierPermissions({ tier, below }: { tier: Tier; below: Tier | undefined }) {
  const texts = tierTexts.use()
  const flagName = useFlagName()
  const own = Object.keys(tier.permissions.customPermissions ?? {})
  return (
    <dl className={css.permissions} aria-label={texts.permissions(tier.name)}>
      {[...FLAGS, ...own].map((flag) => (
        <div key={flag} className={css.permission} data-has={permissionOf(tier.permissions, flag) > 0 || undefined}>
          <dt>{flagName(flag)}</dt>
          <dd className={css.value}>
            <Value flag={flag} value={permissionOf(tier.permissions, flag)} />
            {below && (
              <Change
                flag={flag}
                from={permissionOf(below.permissions, flag)}
                to={permissionOf(tier.permissions, flag)}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ flag, value }: { flag: string; value: number }) {
  const texts = tierTexts.use()
  const language = useLanguage()
  const isSize = flag === 'maxUploadSizeMB'
  const Icon = isSize ? Upload : value > 0 ? Check : Minus
  return (
    <>
      <Icon size={14} aria-hidden />
      {isSize ? texts.megabytes(count(value, language)) : value > 0 ? texts.yes : texts.no}
    </>
  )
}

function Change({ flag, from, to }: { flag: string; from: number; to: number }) {
  const { changes } = tierTexts.use()
  if (from === to) return null
  const isMore = to > from
  const isSize = flag === 'maxUploadSizeMB'
  return (
    <span className={css.change} data-less={!isMore || undefined}>
      {isSize ? (isMore ? changes.more : changes.less) : isMore ? changes.new : changes.lost}
    </span>
  )
}
