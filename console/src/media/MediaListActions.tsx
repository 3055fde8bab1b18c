import { Link } from '@tanstack/react-router'
import { GitCompareArrows, Languages } from 'lucide-react'
import { buttonClass } from '#ui/Button.tsx'
import { mediaTexts } from './texts.ts'

/** What AI does for media, from their list. */
export function MediaListActions() {
  const texts = mediaTexts.use()
  return (
    <>
      <Link to="/media/compare" className={buttonClass()}>
        <GitCompareArrows size={16} aria-hidden />
        {texts.compare}
      </Link>
      <Link to="/media/standardize" className={buttonClass()}>
        <Languages size={16} aria-hidden />
        {texts.standardize}
      </Link>
    </>
  )
}
