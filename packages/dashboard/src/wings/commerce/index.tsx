import { IconListCheck } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, project } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'

const jobs = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
})

const job = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs/$job',
  component: lazyRouteComponent(() => import('./jobs/job-page.tsx'), 'JobPage'),
})

export const routes = { project: [jobs, job] }

export const navigation: NavigationRow[] = [
  { level: 'project', slot: 'commerce', label: 'Jobs', to: '/$org/$project/commerce/jobs', Icon: IconListCheck },
]

const path = '/api/v1/projects/{projectId}/commerce/jobs'

export const refreshes: Refreshes = { job: [path, `${path}/{jobId}`] }
