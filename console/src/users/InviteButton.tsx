import { MailPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMe } from '#api/session.ts'
import { Button } from '#ui/Button.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { userRefusals } from './rights.ts'
import { userTexts } from './texts.ts'

const InviteDialog = lazyOverlay(() => import('./InviteDialog.tsx'), 'InviteDialog')

/** Button that invites a user, who then chooses their own password. */
export function InviteButton() {
  const { invite: texts } = userTexts.use()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={MailPlus} title={texts.title} reason={userRefusals(useMe()).create} onClick={() => setOpen(true)}>
        <span className="wide-only">{texts.button}</span>
      </Button>
      <Suspense>{isOpen && <InviteDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
