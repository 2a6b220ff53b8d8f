import { IconChartBar, IconFlask } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, project, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import { experimentStatusIn } from './experiments/status-in.ts'
import { type ResultsSearch, resultsSearch } from './results/view.ts'

const metrics = createRoute({
  getParentRoute: () => project,
  path: 'metrics',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./metrics/metrics-page.tsx'), 'MetricsPage'),
})

const metric = createRoute({
  getParentRoute: () => project,
  path: 'metrics/$metric',
  validateSearch: (search): { panel?: string; env?: string } => ({
    ...textIn(search, 'panel'),
    ...textIn(search, 'env'),
  }),
  component: lazyRouteComponent(() => import('./metrics/metric-page.tsx'), 'MetricPage'),
})

const groups = createRoute({
  getParentRoute: () => project,
  path: 'exclusion-groups',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./exclusion-groups/groups-page.tsx'), 'GroupsPage'),
})

const holdouts = createRoute({
  getParentRoute: () => project,
  path: 'holdouts',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./holdouts/holdouts-page.tsx'), 'HoldoutsPage'),
})

const flagResults = createRoute({
  getParentRoute: () => project,
  path: 'flags/$flag/results',
  validateSearch: (search): { env?: string; rule?: string } & ResultsSearch => ({
    ...textIn(search, 'env'),
    ...textIn(search, 'rule'),
    ...resultsSearch(search),
  }),
  component: lazyRouteComponent(() => import('./results/results-page.tsx'), 'FlagResultsPage'),
})

const experiments = createRoute({
  getParentRoute: () => project,
  path: 'experiments',
  validateSearch: (search) => ({ ...listSearch(search), ...experimentStatusIn(search) }),
  component: lazyRouteComponent(() => import('./experiments/experiments-page.tsx'), 'ExperimentsPage'),
})

const experiment = createRoute({
  getParentRoute: () => project,
  path: 'experiments/$experiment',
  validateSearch: (search): { panel?: string } & ResultsSearch => ({
    ...textIn(search, 'panel'),
    ...resultsSearch(search),
  }),
  component: lazyRouteComponent(() => import('./experiments/experiment-page.tsx'), 'ExperimentPage'),
})

const design = createRoute({
  getParentRoute: () => project,
  path: 'experiments/$experiment/design/$variation',
  validateSearch: (search): { panel?: string; change?: string } => ({
    ...textIn(search, 'panel'),
    ...textIn(search, 'change'),
  }),
  component: lazyRouteComponent(() => import('./web-changes/design-page.tsx'), 'DesignPage'),
})

const targeting = createRoute({
  getParentRoute: () => project,
  path: 'experiments/$experiment/targeting',
  component: lazyRouteComponent(() => import('./experiments/targeting/targeting-page.tsx'), 'TargetingPage'),
})

const calculator = createRoute({
  getParentRoute: () => project,
  path: 'experiments/calculator',
  component: lazyRouteComponent(() => import('./calculators/calculator-page.tsx'), 'CalculatorPage'),
})

const example = createRoute({
  getParentRoute: () => project,
  path: 'experiments/example',
  validateSearch: resultsSearch,
  component: lazyRouteComponent(() => import('./results/example-page.tsx'), 'ExamplePage'),
})

export const routes = {
  project: [
    metrics,
    metric,
    groups,
    holdouts,
    flagResults,
    experiments,
    experiment,
    design,
    targeting,
    calculator,
    example,
  ],
}

export const navigation: NavigationRow[] = [
  { level: 'project', slot: 'experiments', label: 'Experiments', to: '/$org/$project/experiments', Icon: IconFlask },
  { level: 'project', slot: 'metrics', label: 'Metrics', to: '/$org/$project/metrics', Icon: IconChartBar },
]

const inProject = '/api/v1/projects/{projectId}'
const ofMetrics = [`${inProject}/metrics`, `${inProject}/metrics/{metricId}`]
const ofExperiments = [`${inProject}/experiments`, `${inProject}/experiments/{experimentId}`]
const results = [
  `${inProject}/flags/{flagId}/rules/{ruleId}/results`,
  `${inProject}/experiments/{experimentId}/results`,
]
const ofVariation = `${inProject}/experiments/{experimentId}/variations/{variationKey}`
const content = [
  ...[`${ofVariation}/changes`, `${ofVariation}/code`, `${ofVariation}/hand-off`],
  `${inProject}/experiments/{experimentId}/previews`,
  `${inProject}/environments/{envId}/staged`,
]
const keptApart = [`${inProject}/exclusion-groups`, `${inProject}/holdouts`]

export const refreshes: Refreshes = {
  // Rules say which metrics are in use; a run or a publish says which tests have started.
  rule: [...ofMetrics, ...keptApart, ...ofExperiments, ...results],
  flag: [...ofMetrics, ...keptApart, ...ofExperiments],
  environment: [...ofMetrics, ...keptApart, ...ofExperiments, ...results, ...content],
  experiment: [...results, ...content, `${inProject}/schedules`],
}
