import { IconLayoutGrid } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { segmentOf } from '../address.ts'
import { useOrganization } from '../session.ts'

/** The bare address opens the organization of this tab. */
export function Home() {
  const organization = useOrganization()
  if (organization) return <Navigate to="/$org" params={{ org: segmentOf(organization) }} replace />
  return (
    <Page title="Projects">
      <EmptyState icon={<IconLayoutGrid size={36} />} title="No organization">
        Your account exists, but you are not a member of any organization. Ask an administrator for an invitation.
      </EmptyState>
    </Page>
  )
}
