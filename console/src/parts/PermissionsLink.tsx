import { Link } from '@tanstack/react-router'
import { areaTexts } from '#i18n/messages.ts'
import { buttonClass } from '#ui/Button.tsx'

const texts = areaTexts({ yours: 'Your permissions' }, { yours: '我的权限' })

/** From a refusal to the user's permissions, with the score that each missing one requires. */
export const PermissionsLink = () => (
  <Link to="/profile" className={buttonClass({ size: 'small' })}>
    {texts.use().yours}
  </Link>
)
