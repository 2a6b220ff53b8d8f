import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { TitlePlace } from '../../ui/layout/page.tsx'
import { segmentOf, withSegment } from '../address.ts'
import { useOrganization } from '../session.ts'
import { Corrected } from './corrected.tsx'
import { MissingPage } from './missing-page.tsx'

/** Around the pages of an organization and of its projects. */
export function OrganizationLayout() {
  const { org } = useParams({ strict: false }) as { org: string }
  const href = useLocation({ select: (location) => location.href })
  const organization = useOrganization()
  if (!organization) return <MissingPage />
  const segment = segmentOf(organization)
  return (
    <TitlePlace value={organization.name}>
      {segment !== org && <Corrected to={withSegment(href, 0, segment)} />}
      <Outlet />
    </TitlePlace>
  )
}
