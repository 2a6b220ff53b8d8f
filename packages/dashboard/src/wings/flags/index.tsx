import { IconFlag, IconLayoutGrid, IconServer2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization, project } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import { flagSearch } from './flags/flag-filter.ts'

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

const flags = createRoute({
  getParentRoute: () => project,
  path: 'flags',
  validateSearch: flagSearch,
  component: lazyRouteComponent(() => import('./flags/flags-page.tsx'), 'FlagsPage'),
})

const environments = createRoute({
  getParentRoute: () => project,
  path: 'environments',
  component: lazyRouteComponent(() => import('./environments/environments-page.tsx'), 'EnvironmentsPage'),
})

export const routes = { organization: [projects], project: [flags, environments] }

export const navigation: NavigationRow[] = [
  { level: 'organization', slot: 'projects', label: 'Projects', to: '/$org', Icon: IconLayoutGrid },
  { level: 'project', slot: 'flags', label: 'Flags', to: '/$org/$project/flags', Icon: IconFlag },
  {
    level: 'project',
    slot: 'environments',
    label: 'Environments',
    to: '/$org/$project/environments',
    Icon: IconServer2,
  },
]

export const refreshes: Refreshes = {
  project: ['/api/v1/projects'],
  flag: ['/api/v1/projects/{projectId}/index'],
  environment: ['/api/v1/projects/{projectId}/environments'],
}
