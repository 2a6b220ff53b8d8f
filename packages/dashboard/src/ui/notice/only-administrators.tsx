import { IconLock } from '@tabler/icons-react'
import { EmptyState } from '../layout/empty-state.tsx'
import { Page } from '../layout/page.tsx'

/** Replaces a page that other roles cannot read. */
export function OnlyAdministrators({ title, children }: { title: string; children: string }) {
  return (
    <Page title={title}>
      <EmptyState icon={<IconLock size={36} />} title="Only for owners and administrators">
        {children}
      </EmptyState>
    </Page>
  )
}
