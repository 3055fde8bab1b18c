import { MAX_STANDARDIZE_ITEMS } from '@mokuroku/contract/ai'
import { Link } from '@tanstack/react-router'
import { Languages } from 'lucide-react'
import { Button, buttonClass } from '#ui/Button.tsx'
import { mediaTexts } from './texts.ts'

/** Opens the screen that standardizes translations with the selected media, up to as many as AI accepts at once. */
export function StandardizeSelected({ ids }: { ids: readonly string[] | undefined }) {
  const texts = mediaTexts.use()
  if (!ids || ids.length > MAX_STANDARDIZE_ITEMS)
    return (
      <Button size="small" icon={Languages} reason={texts.tooManyToStandardize(MAX_STANDARDIZE_ITEMS)}>
        {texts.standardize}
      </Button>
    )
  const [id, ...others] = ids
  return (
    <Link
      to="/media/standardize"
      search={{ id, ...(others.length > 0 && { with: others.join(',') }) }}
      className={buttonClass({ size: 'small' })}
    >
      <Languages size={16} aria-hidden />
      {texts.standardize}
    </Link>
  )
}
