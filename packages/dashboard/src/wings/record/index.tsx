import { IconHistory } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import { auditSearch } from './audit/filter.ts'

const audit = createRoute({
  getParentRoute: () => organization,
  path: 'settings/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
})

export const routes = { organization: [audit] }

export const navigation: NavigationRow[] = [
  {
    level: 'organization',
    slot: 'audit',
    label: 'Audit log',
    to: '/$org/settings/audit',
    Icon: IconHistory,
    isFor: ({ scopes }) => scopes.includes('audit:read'),
  },
]

export const refreshes: Refreshes = {}
