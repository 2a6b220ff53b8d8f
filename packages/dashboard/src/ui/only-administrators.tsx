import { IconLock } from '@tabler/icons-react'
import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'

/** Instead of a page that shows nothing to other roles. */
export function OnlyAdministrators({ title, children }: { title: string; children: string }) {
  return (
    <Page title={title}>
      <EmptyState icon={<IconLock size={36} />} title="For owners and administrators">
        {children}
      </EmptyState>
    </Page>
  )
}
