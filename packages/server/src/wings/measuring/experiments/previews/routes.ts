import { isRefusal } from '../../../../catalogue/refusals.ts'
import type { Caller } from '../../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { listPreviews, type Preview } from '../web-links/queries.ts'
import { createPreview, revokePreview } from './actions.ts'
import { statusOf } from './preview.ts'
import { createdPreviewSchema, previewBody, previewParams, previewSchema } from './schema.ts'

interface Context {
  db: Db
  now: () => Date
  cursors: Cursors
  one: OneOf<Experiment>
  /** The address of one experiment. */
  url: string
}

export function previewRoutes(route: Route, { db, now, cursors, one, ...context }: Context): void {
  const url = `${context.url}/previews`
  const ofPage = {
    ...one,
    opensToEditors: true as const,
    /** An experiment of a flag has no pages. */
    async find(params: Parameters<typeof one.find>[0], caller: Caller) {
      const experiment = await one.find(params, caller)
      return experiment?.type === 'WEB' ? experiment : undefined
    },
  }

  route({
    ...ofPage,
    method: 'POST',
    url,
    operationId: 'createPreview',
    summary: 'Create a preview of a web experiment',
    description:
      'Returns an address that shows one variation on the real site to whoever has it, and to nobody else. Pages are respected; the audience, the traffic and the schedule are not. Nothing of a preview is counted. An experiment can have 100 open previews.',
    scope: 'experiments:write',
    body: previewBody,
    data: createdPreviewSchema,
    status: 201,
    async handle({ caller, found: experiment, by, body }) {
      const created = await createPreview(db, by, { orgId: caller.organization.id, experiment }, body)
      return isRefusal(created) ? created : { data: { ...present(created.preview, by.now), url: created.url } }
    },
  })

  route({
    ...ofPage,
    method: 'GET',
    url,
    operationId: 'listPreviews',
    summary: 'List previews of a web experiment',
    description: 'Newest first, also those that have ended. They go 30 days after they have expired.',
    scope: 'experiments:read',
    query: pageQuery,
    data: previewSchema.array(),
    paged: true,
    handle: ({ found, query }) =>
      cursors.list(
        query,
        ['previews', found.id],
        (after, limit) => listPreviews(db, found.id, after, limit),
        (rows) => rows.map((row) => present(row, now())),
      ),
  })

  route({
    ...ofPage,
    method: 'DELETE',
    url: `${url}/:previewId`,
    params: { ...one.params, ...previewParams },
    operationId: 'revokePreview',
    summary: 'Revoke a preview',
    description: 'Tabs that show it show what visitors get from their next page on.',
    scope: 'experiments:write',
    data: previewSchema,
    async handle({ caller, found: experiment, params, by }) {
      const which = { orgId: caller.organization.id, experiment, previewId: params.previewId }
      const revoked = await revokePreview(db, by, which)
      return isRefusal(revoked) ? revoked : { data: present(revoked, by.now) }
    },
  })
}

function present({ experimentId: _experiment, url: pageUrl, ...preview }: Preview, now: Date) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt, ...shown } = preview
  return {
    ...shown,
    pageUrl,
    status: statusOf(preview, now),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
