import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../../http/credentials.ts'
import { versionEtag } from '../../../../http/etag.ts'
import { type Cursors, pageQuery } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Actor } from '../../../../platform/outbox.ts'
import { environmentsWithStagedChanges } from '../../../model/versions/index.ts'
import { type DataFileStore, dataFileUrl, type Publishing } from '../../../serving/datafile/index.ts'
import { type Confirmations, waitQuery } from '../../../serving/heartbeat/index.ts'
import { findProject } from '../queries.ts'
import { projectParams } from '../schema.ts'
import { createEnvironment, deleteEnvironment, type PublishResult, publish, updateEnvironment } from './actions.ts'
import { type Environment, findEnvironment, listEnvironments, type SdkSeen, sdksSeen } from './queries.ts'
import {
  createEnvironmentBody,
  environmentParams,
  environmentSchema,
  publicationSchema,
  publishBody,
  updateEnvironmentBody,
} from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
  change: Publishing
  store: DataFileStore
  confirmations: Confirmations
  baseUrl: string
}

const sdkSeenWindowMs = 10 * 60_000

export function environmentRoutes(
  route: Route,
  { db, cursors, now, change, store, confirmations, baseUrl }: Context,
): void {
  const tag = 'Environment'
  const url = '/api/v1/projects/:projectId/environments'

  route({
    method: 'GET',
    url,
    operationId: 'listEnvironments',
    summary: 'List environments',
    tag,
    scope: 'projects:read',
    params: projectParams,
    query: pageQuery,
    data: environmentSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found: project, query }) {
      const list = ['environments', caller.organization.id, project.id]
      const read = (after: string | null, limit: number) => listEnvironments(db, project.id, after, limit)
      return cursors.list(query, list, read, present)
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createEnvironment',
    summary: 'Create an environment',
    description: 'It contains every flag of the project, paused, and has an SDK key of its own.',
    tag,
    scope: 'projects:write',
    params: projectParams,
    body: createEnvironmentBody,
    data: environmentSchema,
    status: 201,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: project, by, body }) {
      const wanted = { ...body, color: body.color, orgId: project.orgId, projectId: project.id }
      return answer(await createEnvironment(db, by, wanted))
    },
  })

  const one = {
    tag,
    params: environmentParams,
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      findEnvironment(db, caller.organization.id, projectId, envId),
  }

  route({
    ...one,
    method: 'GET',
    url: `${url}/:envId`,
    operationId: 'getEnvironment',
    summary: 'Get an environment',
    scope: 'projects:read',
    data: environmentSchema,
    handle: ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:envId`,
    operationId: 'updateEnvironment',
    summary: 'Update name or color',
    scope: 'projects:write',
    body: updateEnvironmentBody,
    data: environmentSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const edit = { orgId: caller.organization.id, envId: found.id, name: body.name, color: body.color }
      return answer(await updateEnvironment(db, by, ifMatch, edit))
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:envId`,
    operationId: 'deleteEnvironment',
    summary: 'Delete an environment',
    description: 'Its SDK key dies at once. The built-in environments stay, and at least two must remain.',
    scope: 'projects:write',
    data: z.null(),
    async handle({ caller, found, by }) {
      const which = { orgId: caller.organization.id, projectId: found.projectId, envId: found.id }
      const result = await deleteEnvironment(db, store, by, which)
      return isRefusal(result) ? result : { data: null }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:envId/publish`,
    operationId: 'publishEnvironment',
    summary: 'Publish the data file',
    description: 'Takes the staged drafts live, all or those of `flagIds`. Nothing staged answers `changed: false`.',
    scope: 'projects:write',
    query: waitQuery,
    body: publishBody,
    data: publicationSchema,
    async handle({ caller, found, by, query, body, gone }) {
      const { flagIds = null, comment = null, dryRun = false } = body ?? {}
      const which = { orgId: caller.organization.id, projectId: found.projectId, envId: found.id }
      const result = await publish(change, by, { ...which, flagIds, comment, dryRun })
      if (isRefusal(result)) return result
      const { revision, publishedAt } = result.publication
      const published = { envId: found.id, revision, publishedAt }
      return {
        data: presentPublication(found.id, dryRun ? null : by.actor, result),
        afterwards: () => confirmations.confirm({ published, acts: !dryRun, waitMs: query.wait, gone }),
      }
    },
  })

  async function answer(environment: Environment | Refusal) {
    if (isRefusal(environment)) return environment
    const [data] = await present([environment])
    return { data: data!, etag: versionEtag('e', environment.version) }
  }

  async function present(environments: Environment[]) {
    const ids = environments.map(({ id }) => id)
    const staged = await environmentsWithStagedChanges(db, ids)
    const sdks = await sdksSeen(db, ids, new Date(now().getTime() - sdkSeenWindowMs))
    return environments.map((environment) =>
      presentEnvironment(environment, {
        baseUrl,
        hasStagedChanges: staged.has(environment.id),
        sdks: sdks.filter(({ envId }) => envId === environment.id),
      }),
    )
  }
}

function presentEnvironment(
  environment: Environment,
  { baseUrl, hasStagedChanges, sdks }: { baseUrl: string; hasStagedChanges: boolean; sdks: SdkSeen[] },
) {
  const { revision, etag, publishedAt, version, ...rest } = environment
  return {
    ...rest,
    status: 'ACTIVE' as const,
    connected: rest.lastHeartbeatAt !== null,
    lastHeartbeatAt: rest.lastHeartbeatAt?.toISOString() ?? null,
    sdks: sdks.map(({ type, version, lastSeenAt, instances }) => ({
      type,
      version,
      lastSeenAt: lastSeenAt.toISOString(),
      instances,
    })),
    dataFile: {
      url: dataFileUrl(baseUrl, rest.sdkKey),
      revision,
      etag,
      publishedAt: publishedAt?.toISOString() ?? null,
    },
    hasStagedChanges,
    createdAt: rest.createdAt.toISOString(),
    updatedAt: rest.updatedAt.toISOString(),
  }
}

function presentPublication(
  envId: string,
  by: Actor | null,
  { staged, publication, flags, audiences, reassignedRuleIds }: PublishResult,
) {
  return {
    envId,
    changed: staged,
    revision: publication.revision,
    previousRevision: publication.previousRevision,
    etag: publication.etag,
    bytes: publication.bytes,
    publishedAt: publication.publishedAt?.toISOString() ?? null,
    publishedBy: staged && by ? { type: by.type, id: by.id, name: by.name } : null,
    flags,
    audiences,
    // Nobody counts exposed visitors yet: null says that the number is not known.
    warnings: reassignedRuleIds.map((ruleId) => ({
      code: 'reassigns_exposed_visitors' as const,
      ruleId,
      visitors: null,
    })),
  }
}
