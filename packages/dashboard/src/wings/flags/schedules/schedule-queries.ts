import type { Data } from '@svc/client'
import type { QueryClient } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { refresh } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'

export const schedulesPath = '/api/v1/projects/{projectId}/schedules'
const ofFlag = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/schedule'
const ofExperiments = '/api/v1/projects/{projectId}/experiments'
const ofExperiment = '/api/v1/projects/{projectId}/experiments/{experimentId}/schedule'
const ofRule = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/schedule'

/** A schedule that is open or has failed, with the names of what it switches. */
export type ListedSchedule = Data<typeof schedulesPath, 'get'>[number]
export type Schedule = Data<typeof ofFlag, 'get'>
export type WantedSchedule = Pick<Schedule, 'action' | 'runAt' | 'timezone' | 'note'>

/** A switch: of a flag in an environment, or of one of its rules. */
export interface ScheduleTarget {
  projectId: string
  /** Id or key. Empty for a web experiment, whose schedule is set through the experiment. */
  flagId: string
  envId: string
  ruleId: string | null
  /** The experiment that owns the rule. The schedule is set through the experiment. */
  experimentId?: string | undefined
}

/** What people call the thing that a schedule runs or pauses. */
export const switchName = ({ experiment, rule, flag }: Pick<ListedSchedule, 'experiment' | 'rule' | 'flag'>): string =>
  (experiment ?? rule ?? flag)?.name ?? ''

export const targetOf = (
  projectId: string,
  { flagId, envId, ruleId, experiment }: Pick<ListedSchedule, 'flagId' | 'envId' | 'ruleId' | 'experiment'>,
): ScheduleTarget => ({ projectId, flagId: flagId ?? '', envId, ruleId, experimentId: experiment?.id })

const most = 100

/** The schedules of a flag and its rules, in all environments. */
export const useFlagSchedules = ({ id, projectId }: Pick<Flag, 'id' | 'projectId'>) => useSchedules(projectId, id)

/** The schedules of a flag; without one, those of the project. */
export function useSchedules(projectId: string, flagId?: string) {
  const query = { limit: most, ...(flagId !== undefined && { flagId }) }
  return server.useQuery('get', schedulesPath, { params: { path: { projectId }, query } })
}

export async function setSchedule(
  { ruleId, experimentId, ...path }: ScheduleTarget,
  { action, runAt, timezone, note }: WantedSchedule,
): Promise<void> {
  const body = { action, runAt, timezone, note }
  if (experimentId !== undefined)
    await api.PUT(ofExperiment, { params: { path: { projectId: path.projectId, experimentId } }, body })
  else if (ruleId === null) await api.PUT(ofFlag, { params: { path }, body })
  else await api.PUT(ofRule, { params: { path: { ...path, ruleId } }, body })
}

export async function cancelSchedule({ ruleId, experimentId, ...path }: ScheduleTarget): Promise<void> {
  if (experimentId !== undefined)
    await api.DELETE(ofExperiment, { params: { path: { projectId: path.projectId, experimentId } } })
  else if (ruleId === null) await api.DELETE(ofFlag, { params: { path } })
  else await api.DELETE(ofRule, { params: { path: { ...path, ruleId } } })
}

/** Sets schedules again that a pause has suspended. Resolves with how many could not be set, because their time is over. */
export async function setAgain(projectId: string, suspended: readonly Schedule[]): Promise<number> {
  const owners = await ownersOf(projectId, suspended)
  const results = await Promise.allSettled(
    suspended.map((schedule) =>
      setSchedule(targetOf(projectId, { ...schedule, experiment: owners.get(schedule.id) ?? null }), schedule),
    ),
  )
  return results.filter(({ status }) => status === 'rejected').length
}

/** The experiments whose schedules are among those of rules. */
async function ownersOf(projectId: string, schedules: readonly Schedule[]) {
  const flagIds = new Set(
    schedules.flatMap(({ flagId, ruleId }) => (ruleId === null || flagId === null ? [] : [flagId])),
  )
  const lists = await Promise.all(
    [...flagIds].map((flagId) =>
      api.GET(schedulesPath, { params: { path: { projectId }, query: { flagId, limit: most } } }),
    ),
  )
  return new Map(lists.flatMap(({ data }) => data!.data.map(({ id, experiment }) => [id, experiment] as const)))
}

/** Reads everything again that a schedule changes. */
export const refreshSchedules = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    refreshFlag(client),
    refresh(client, schedulesPath, '/api/dashboard/attention', ofExperiments, `${ofExperiments}/{experimentId}`),
  ])
