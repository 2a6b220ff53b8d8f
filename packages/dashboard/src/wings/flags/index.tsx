import {
  IconCode,
  IconFlag,
  IconHistory,
  IconLayoutGrid,
  IconListDetails,
  IconServer2,
  IconSettings,
  IconTestPipe,
  IconUsersGroup,
} from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readIndexAhead } from '../../shell/read-ahead.ts'
import { listSearch, organization, project, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import { compareSearch } from './comparing/compare-search.ts'
import { flagSearch } from './flags/flag-filter.ts'
import { flagPageSearch } from './flags/flag-search.ts'
import { playgroundSearch } from './playground/playground-search.ts'

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

const flags = createRoute({
  getParentRoute: () => project,
  path: 'flags',
  validateSearch: flagSearch,
  loader: ({ context, params }) => void readIndexAhead(context.queryClient, params.project),
  component: lazyRouteComponent(() => import('./flags/flags-page.tsx'), 'FlagsPage'),
})

const flag = createRoute({
  getParentRoute: () => project,
  path: 'flags/$flag',
  validateSearch: flagPageSearch,
  component: lazyRouteComponent(() => import('./flags/flag-page.tsx'), 'FlagPage'),
})

const flagCompare = createRoute({
  getParentRoute: () => project,
  path: 'flags/$flag/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./comparing/compare-page.tsx'), 'ComparePage'),
})

const compare = createRoute({
  getParentRoute: () => project,
  path: 'compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./comparing/compare-environments-page.tsx'), 'CompareEnvironmentsPage'),
})

const flagSettings = createRoute({
  getParentRoute: () => project,
  path: 'flags/$flag/settings',
  component: lazyRouteComponent(() => import('./flags/flag-settings-page.tsx'), 'FlagSettingsPage'),
})

const environments = createRoute({
  getParentRoute: () => project,
  path: 'environments',
  component: lazyRouteComponent(() => import('./environments/environments-page.tsx'), 'EnvironmentsPage'),
})

const review = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment/publish',
  validateSearch: (search): { flags?: string } => textIn(search, 'flags'),
  component: lazyRouteComponent(() => import('./publishing/review-page.tsx'), 'ReviewPage'),
})

const connect = createRoute({
  getParentRoute: () => project,
  path: 'connect',
  component: lazyRouteComponent(() => import('./connect/connect-page.tsx'), 'ConnectPage'),
})

const playground = createRoute({
  getParentRoute: () => project,
  path: 'playground',
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import('./playground/playground-page.tsx'), 'PlaygroundPage'),
})

const environment = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment',
  component: lazyRouteComponent(() => import('./environments/environment-page.tsx'), 'EnvironmentPage'),
})

const clients = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment/clients',
  component: lazyRouteComponent(() => import('./environments/clients-page.tsx'), 'ClientsPage'),
})

const schedules = createRoute({
  getParentRoute: () => project,
  path: 'history/schedules',
  component: lazyRouteComponent(() => import('./schedules/schedules-page.tsx'), 'SchedulesPage'),
})

const history = createRoute({
  getParentRoute: () => project,
  path: 'history',
  component: lazyRouteComponent(() => import('./revisions/history-page.tsx'), 'HistoryPage'),
})

const environmentHistory = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment/history',
  component: lazyRouteComponent(() => import('./revisions/history-page.tsx'), 'EnvironmentHistoryPage'),
})

const flagHistory = createRoute({
  getParentRoute: () => project,
  path: 'flags/$flag/history',
  component: lazyRouteComponent(() => import('./revisions/history-page.tsx'), 'FlagHistoryPage'),
})

const revision = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment/history/$revision',
  validateSearch: (search): { flag?: string } => textIn(search, 'flag'),
  component: lazyRouteComponent(() => import('./revisions/revision-page.tsx'), 'RevisionPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  component: lazyRouteComponent(() => import('./projects/project-settings-page.tsx'), 'ProjectSettingsPage'),
})

const site = createRoute({
  getParentRoute: () => project,
  path: 'settings/site',
  component: lazyRouteComponent(() => import('./web-settings/web-settings-page.tsx'), 'WebSettingsPage'),
})

const audiences = createRoute({
  getParentRoute: () => project,
  path: 'audiences',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./audiences/audiences-page.tsx'), 'AudiencesPage'),
})

const audience = createRoute({
  getParentRoute: () => project,
  path: 'audiences/$audience',
  validateSearch: (search): { panel?: string } => textIn(search, 'panel'),
  component: lazyRouteComponent(() => import('./audiences/audience-page.tsx'), 'AudiencePage'),
})

const segments = createRoute({
  getParentRoute: () => project,
  path: 'segments',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./segments/segments-page.tsx'), 'SegmentsPage'),
})

const segment = createRoute({
  getParentRoute: () => project,
  path: 'segments/$segment',
  validateSearch: (search): { panel?: string } => textIn(search, 'panel'),
  component: lazyRouteComponent(() => import('./segments/segment-page.tsx'), 'SegmentPage'),
})

export const routes = {
  organization: [projects],
  project: [
    flags,
    flag,
    flagCompare,
    compare,
    flagSettings,
    environments,
    review,
    connect,
    playground,
    environment,
    clients,
    schedules,
    history,
    environmentHistory,
    flagHistory,
    revision,
    settings,
    site,
    audiences,
    audience,
    segments,
    segment,
  ],
}

export const navigation: NavigationRow[] = [
  { level: 'organization', slot: 'projects', label: 'Projects', to: '/$org', Icon: IconLayoutGrid },
  {
    level: 'project',
    slot: 'flags',
    label: 'Flags',
    to: '/$org/$project/flags',
    Icon: IconFlag,
    isFor: (_organization, project) => project?.type !== 'WEB',
  },
  { level: 'project', slot: 'audiences', label: 'Audiences', to: '/$org/$project/audiences', Icon: IconUsersGroup },
  { level: 'project', slot: 'segments', label: 'Segments', to: '/$org/$project/segments', Icon: IconListDetails },
  {
    level: 'project',
    slot: 'environments',
    label: 'Environments',
    to: '/$org/$project/environments',
    Icon: IconServer2,
  },
  {
    level: 'project',
    slot: 'tag',
    label: 'Tag',
    to: '/$org/$project/connect',
    Icon: IconCode,
    isFor: (_organization, project) => project?.type === 'WEB',
  },
  { level: 'project', slot: 'history', label: 'History', to: '/$org/$project/history', Icon: IconHistory },
  {
    level: 'project',
    slot: 'playground',
    label: 'Playground',
    to: '/$org/$project/playground',
    Icon: IconTestPipe,
  },
  {
    level: 'project',
    slot: 'settings',
    label: 'Settings',
    to: '/$org/$project/settings',
    Icon: IconSettings,
  },
]

export const actions = () => import('./thing-actions.ts')

const index = '/api/v1/projects/{projectId}/index'
const evaluate = '/api/v1/projects/{projectId}/environments/{envId}/evaluate'

const one = '/api/v1/projects/{projectId}/flags/{flagId}'
const inEnvironment = `${one}/envs/{envId}`
const schedulesOf = '/api/v1/projects/{projectId}/schedules'
const revisions = '/api/v1/projects/{projectId}/environments/{envId}/revisions'
const sdkKeys = '/api/v1/projects/{projectId}/environments/{envId}/sdk-keys'
const staged = '/api/v1/projects/{projectId}/environments/{envId}/staged'
const everyEnvironment = '/api/v1/projects/{projectId}/environments'
// What the comparison of environments reads.
const dataFile = '/api/sdk/v1/datafile/{sdkKey}.json'
const ofFlag = [
  // A run or a pause is a new revision of the environment.
  everyEnvironment,
  schedulesOf,
  revisions,
  staged,
  dataFile,
  index,
  one,
  inEnvironment,
  `${inEnvironment}/rules`,
  `${inEnvironment}/rules/{ruleId}`,
]

// They say what uses them.
const ofSegment = ['/api/v1/projects/{projectId}/segments', '/api/v1/projects/{projectId}/segments/{segmentId}']

// They say which visitors are in it.
const ofAudience = [
  '/api/v1/projects/{projectId}/audiences/{audienceId}/evaluate',
  '/api/v1/projects/{projectId}/audiences/{audienceId}/envs/{envId}/reach',
]

export const refreshes: Refreshes = {
  project: ['/api/v1/projects', '/api/v1/projects/{projectId}/web-settings'],
  flag: [...ofFlag, evaluate],
  rule: [
    '/api/v1/projects/{projectId}/audiences',
    '/api/v1/projects/{projectId}/audiences/{audienceId}',
    ...ofSegment,
    ...ofFlag,
    evaluate,
  ],
  // A publish is an action on the environment.
  environment: [...ofFlag, evaluate, sdkKeys],
  audience: [
    ...ofSegment,
    ...ofAudience,
    // Says whether something is staged.
    everyEnvironment,
    staged,
    evaluate,
  ],
  segment: ['/api/v1/projects/{projectId}/segments/{segmentId}/members', ...ofAudience, evaluate, revisions, dataFile],
}
