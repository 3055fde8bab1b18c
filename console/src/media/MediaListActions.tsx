import { Link } from '@tanstack/react-router'
import { GitCompareArrows, Languages } from 'lucide-react'
import { buttonClass } from '#ui/Button.tsx'
import { mediaTexts } from './texts.ts'

/** Links from the media list to the AI screens. */
export function MediaListActions() {
  const texts = mediaTexts.use()
  return (
    <>
      <Link to="/media/compare" title={texts.compare} className={buttonClass()}>
        <GitCompareArrows size={16} aria-hidden />
        <span className="wide-only">{texts.compare}</span>
      </Link>
      <Link to="/media/standardize" title={texts.standardize} className={buttonClass()}>
        <Languages size={16} aria-hidden />
        <span className="wide-only">{texts.standardize}</span>
      </Link>
    </>
  )
}
