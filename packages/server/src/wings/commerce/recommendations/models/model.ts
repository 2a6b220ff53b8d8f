import { type Issue, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { Schedule } from '../../../../platform/jobs/schedule.ts'
import { type ActionWeights, defaultActions } from '../../datasets/index.ts'
import type { ModelStrategy, Strategy } from './live.ts'

export const maxModelsPerProject = 50

export const modelStrategies = [
  'POPULAR',
  'TRENDING',
  'VIEWED_TOGETHER',
  'BOUGHT_TOGETHER',
  'SIMILAR',
  'FOR_YOU',
  'IMPORTED',
] as const satisfies readonly ModelStrategy[]

/** Where a strategy learns from. */
export type LearnsFrom = 'EVENTS' | 'CATALOG' | 'INTERACTIONS' | 'NEIGHBOURS'

export const learnsFrom: Record<ModelStrategy, LearnsFrom> = {
  POPULAR: 'EVENTS',
  TRENDING: 'EVENTS',
  VIEWED_TOGETHER: 'INTERACTIONS',
  BOUGHT_TOGETHER: 'INTERACTIONS',
  SIMILAR: 'CATALOG',
  FOR_YOU: 'INTERACTIONS',
  IMPORTED: 'NEIGHBOURS',
}

/** Of a strategy that reads events. All others have none. */
export interface ModelSettings {
  envId?: string | undefined
  actions?: ActionWeights | undefined
}

/** What a model says. */
export interface ModelContent {
  name: string
  /** Never changes. */
  strategy: ModelStrategy
  datasetId: string | null
  settings: ModelSettings
  schedule: Schedule | null
}

/** Settings as they are stored: a strategy that reads events has all of them. */
export const settingsOf = (
  strategy: ModelStrategy,
  { envId, actions }: ModelSettings,
  production: string | null,
): ModelSettings => {
  if (learnsFrom[strategy] !== 'EVENTS')
    return { ...(envId !== undefined && { envId }), ...(actions !== undefined && { actions }) }
  const where = envId ?? production
  return { ...(where !== null && { envId: where }), actions: actions ?? defaultActions }
}

/** What the fields of a model say about each other. */
export function refusesModel({ strategy, datasetId, settings }: ModelContent): Refusal | undefined {
  const issues: Issue[] = []
  const source = learnsFrom[strategy]
  const needsDataset = source === 'INTERACTIONS' || source === 'NEIGHBOURS'
  if (needsDataset && datasetId === null)
    issues.push({ path: ['datasetId'], message: `A model of ${strategy} needs a dataset of the kind ${source}.` })
  if (!needsDataset && datasetId !== null)
    issues.push({ path: ['datasetId'], message: `A model of ${strategy} has no dataset. Leave it out.` })
  if (source !== 'EVENTS')
    for (const name of Object.keys(settings))
      issues.push({ path: ['settings', name], message: 'Only a model of POPULAR or TRENDING has this setting.' })
  else if (settings.envId === undefined)
    issues.push({ path: ['settings', 'envId'], message: 'Must be given: the project has no production environment.' })
  return refuseIssues(issues)
}

/** The key of the model that is made for a strategy. */
export const keyOfStrategy = (strategy: Strategy): string => strategy.toLowerCase().replaceAll('_', '-')

/** What people call it. */
export function nameOfStrategy(strategy: Strategy): string {
  const words = keyOfStrategy(strategy).replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The dataset that is made for strategies that learn from what visitors do. */
export const behaviour = {
  key: 'behaviour',
  name: 'Behaviour',
  schedule: { every: 'DAY', at: '02:45', timezone: 'UTC' },
} as const

/** When it runs: what is popular changes during a day, and what visitors do is derived an hour before. */
export const scheduleOfStrategy = (strategy: ModelStrategy): Schedule => ({
  every: learnsFrom[strategy] === 'EVENTS' ? 'HOUR' : 'DAY',
  at: '03:45',
  timezone: 'UTC',
})
