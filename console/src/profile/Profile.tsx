import { authApi } from '@mokuroku/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshMe } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { Card } from '#ui/Card.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton, SkeletonLines } from '#ui/Skeleton.tsx'
import { Appearance } from './Appearance.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Identity } from './Identity.tsx'
import css from './Profile.module.css'
import { Rights } from './Rights.tsx'
import { Sessions } from './Sessions.tsx'
import { texts as area } from './texts.ts'

/** The signed-in user's own account. */
export function Profile() {
  const { shell } = useMessages()
  const texts = area.use()
  // Always refetched, and so are the permissions, because others may have changed them.
  const profile = useQuery({ ...q(authApi.profile), staleTime: 0 })
  useEffect(() => void refreshMe(), [])
  return (
    <Page title={shell.profile} subtitle={texts.subtitle}>
      <div className={css.columns}>
        <Stack gap={4}>
          <Card title={texts.identity}>
            <Loaded query={profile} loading={texts.loading} failed={texts.failed} skeleton={<IdentitySkeleton />}>
              {(user) => <Identity user={user} />}
            </Loaded>
          </Card>
          <Card title={texts.password.title}>
            <ChangePassword />
          </Card>
        </Stack>
        <Stack gap={4}>
          <Card title={texts.rights.title}>
            <Rights />
          </Card>
          <Card title={texts.appearance}>
            <Appearance />
          </Card>
        </Stack>
      </div>
      <Sessions />
    </Page>
  )
}

function IdentitySkeleton() {
  return (
    <Stack gap={4} className={css.form}>
      <Row gap={4}>
        <Skeleton width={72} height={72} round />
        <Skeleton width={140} height={34} />
      </Row>
      <SkeletonLines lines={4} height={62} />
    </Stack>
  )
}
