import { Link } from '@tanstack/react-router'
import { useMessages } from '#i18n/messages.ts'
import { buttonLook } from '#ui/Button.tsx'
import { useTitle } from '#ui/Page.tsx'
import { Entrance } from './Entrance.tsx'
import css from './Entrance.module.css'

export function ForgotPassword() {
  const { forgot } = useMessages()
  useTitle(forgot.title)
  return (
    <Entrance title={forgot.title} subtitle={forgot.hint}>
      <div className={css.text}>
        <p>{forgot.ask}</p>
        <p>
          {forgot.operator}
          <code className={css.code}>npm run admin -- password &lt;email&gt;</code>
        </p>
        <Link to="/login" className={buttonLook({ variant: 'default', size: 'large' })}>
          {forgot.back}
        </Link>
      </div>
    </Entrance>
  )
}
