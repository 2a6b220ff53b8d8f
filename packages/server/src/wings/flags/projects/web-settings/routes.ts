import { isRefusal } from '../../../../catalogue/refusals.ts'
import type { Caller } from '../../../../http/credentials.ts'
import { contentEtag } from '../../../../http/etag.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { webSettingsBody, webSettingsSchema } from '../../../model/web/index.ts'
import type { Publishing } from '../../../serving/datafile/index.ts'
import { findProject, findWebSettings } from '../queries.ts'
import { projectParams } from '../schema.ts'
import { updateWebSettings } from './actions.ts'

export function webSettingsRoutes(route: Route, { db, change }: { db: Db; change: Publishing }): void {
  const shared = {
    url: '/api/v1/projects/:projectId/web-settings',
    tag: 'Project',
    params: projectParams,
    data: webSettingsSchema,
    etag: true,
    async find({ projectId }: { projectId: string }, caller: Caller) {
      const project = await findProject(db, caller.organization.id, projectId)
      return project?.type === 'WEB' ? project : undefined
    },
  } as const

  route({
    ...shared,
    method: 'GET',
    operationId: 'getWebSettings',
    summary: 'Get the web settings of a project',
    description: 'Only a project of the type WEB has them.',
    scope: 'projects:read',
    async handle({ found }) {
      const settings = await findWebSettings(db, found.id)
      return { data: settings, etag: contentEtag(settings) }
    },
  })

  route({
    ...shared,
    method: 'PUT',
    operationId: 'setWebSettings',
    summary: 'Replace the web settings of a project',
    description:
      'Acts on all environments at once. A field that is left out takes its default. Removing a host is refused with 409 while a redirect to it is served; `details.missing` names the experiment.',
    scope: 'projects:write',
    body: webSettingsBody,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const which = { orgId: caller.organization.id, projectId: found.id }
      const settings = await updateWebSettings(change, by, ifMatch, which, body)
      return isRefusal(settings) ? settings : { data: settings, etag: contentEtag(settings) }
    },
  })
}
