import { z } from 'zod'
import { scheduleSchema } from '../../../../catalogue/payloads.ts'
import { isRefusal, notFound } from '../../../../catalogue/refusals.ts'
import { idField } from '../../../../fields.ts'
import type { InOrganization } from '../../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { findFlag, findFlagOfRule, flagEnvironmentParams, flagEtag } from '../../flags/index.ts'
import { findProject, projectParams } from '../../projects/index.ts'
import { cancelSchedule, setSchedule } from './actions.ts'
import { latestSchedule, listSchedules } from './queries.ts'
import { failedListedMs, placeIn } from './schedule.ts'
import { listedScheduleSchema, presentListed, presentSchedule, scheduleBody, scheduleFilters } from './schema.ts'

interface Path {
  projectId: string
  flagId: string
  envId: string
  ruleId?: string
}

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function scheduleRoutes(route: Route, { db, cursors, now }: Context): void {
  const tag = 'Schedule'

  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/schedules',
    operationId: 'listSchedules',
    summary: 'List the schedules of a project',
    description:
      'Lists the open schedules (`PENDING` or `SUSPENDED`) of flags and rules, and the schedules that failed in the last 7 days and were not replaced. Suspended and failed schedules come first, then the others by their time.',
    tag,
    scope: 'flags:read',
    params: projectParams,
    query: { ...pageQuery, ...scheduleFilters },
    data: listedScheduleSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found: project, query }) {
      const { flagId } = query
      const orgId = caller.organization.id
      const failedSince = new Date(now().getTime() - failedListedMs)
      const which = { orgId, projectId: project.id, flagId, failedSince }
      const read = async (after: string | null, limit: number) => {
        const rows = await listSchedules(db, which, after === null ? null : placeIn(after), limit)
        // A cursor is the id of a row.
        return rows.map(({ place, ...schedule }) => ({ id: place, schedule }))
      }
      return cursors.list(query, ['schedules', orgId, project.id, flagId ?? null], read, (rows) =>
        rows.map(({ schedule }) => presentListed(schedule)),
      )
    },
  })

  const environmentUrl = '/api/v1/projects/:projectId/flags/:flagId/envs/:envId'
  const switches = [
    {
      what: 'a flag in an environment',
      name: 'Environment',
      url: `${environmentUrl}/schedule`,
      params: flagEnvironmentParams,
      find: (params: Path, caller: InOrganization) => findFlag(db, caller.organization.id, params),
    },
    {
      what: 'one rule',
      name: 'Rule',
      url: `${environmentUrl}/rules/:ruleId/schedule`,
      params: { ...flagEnvironmentParams, ruleId: idField },
      find: ({ ruleId = '', ...params }: Path, caller: InOrganization) =>
        findFlagOfRule(db, caller.organization.id, { ...params, ruleId }),
    },
  ]
  for (const { what, name, ...one } of switches) {
    const target = ({ envId, ruleId = null }: { envId: string; ruleId?: string | null }, flag: { id: string }) => ({
      flagId: flag.id,
      envId,
      ruleId,
    })

    route({
      ...one,
      tag,
      method: 'GET',
      operationId: `get${name}Schedule`,
      summary: `Get the schedule of ${what}`,
      description:
        'Returns the open schedule (`PENDING` or `SUSPENDED`), or else the one that ended last, with the ETag of the flag. The response is 404 if there never was one.',
      scope: 'flags:read',
      data: scheduleSchema,
      etag: true,
      async handle({ params, found: flag }) {
        const schedule = await latestSchedule(db, target(params, flag))
        return schedule ? { data: presentSchedule(schedule), etag: flagEtag(flag) } : notFound('Schedule')
      },
    })

    route({
      ...one,
      tag,
      method: 'PUT',
      operationId: `set${name}Schedule`,
      summary: `Schedule a run or a pause of ${what}`,
      description: 'There is one open schedule at a time. An earlier one is cancelled, even if it is suspended.',
      scope: 'flags:write',
      body: scheduleBody,
      data: scheduleSchema,
      conditional: true,
      async handle({ params, found: flag, by, body, ifMatch }) {
        const schedule = await setSchedule(db, by, ifMatch, target(params, flag), body)
        return isRefusal(schedule) ? schedule : { data: presentSchedule(schedule) }
      },
    })

    route({
      ...one,
      tag,
      method: 'DELETE',
      operationId: `cancel${name}Schedule`,
      summary: `Cancel the schedule of ${what}`,
      scope: 'flags:write',
      data: z.null(),
      conditional: true,
      async handle({ params, found: flag, by, ifMatch }) {
        const cancelled = await cancelSchedule(db, by, ifMatch, target(params, flag))
        return isRefusal(cancelled) ? cancelled : { data: null }
      },
    })
  }
}
