import { isDeepStrictEqual } from 'node:util'
import { notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch } from '../../../../http/etag.ts'
import type { Author } from '../../../../platform/outbox.ts'
import type { WebSettings } from '../../../model/web/index.ts'
import { lockEnvironments, type Publishing } from '../../../serving/datafile/index.ts'
import { findWebSettings, lockProject, saveWebSettings } from '../queries.ts'

/** Replaces the settings of a web project. Every environment gets a revision, so pages follow as after a publish. */
export function updateWebSettings(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId }: { orgId: string; projectId: string },
  settings: WebSettings,
): Promise<WebSettings | Refusal> {
  return change(async (tx, republish) => {
    const project = await lockProject(tx, orgId, projectId)
    if (project?.type !== 'WEB') return notFound('Project')
    const before = await findWebSettings(tx, projectId)
    const failed = ifMatch(contentEtag(before))
    if (failed) return failed
    if (isDeepStrictEqual(before, settings)) return settings
    await saveWebSettings(tx, projectId, settings)
    await republish(tx, await lockEnvironments(tx, projectId), [], by, { reason: 'EDITED' })
    await by.record(tx, {
      ...{ orgId, projectId, action: 'project.update_web_settings' },
      object: { type: 'project', id: projectId, name: project.name },
      ...{ before, after: settings },
      events: [{ name: 'project.updated', payload: {} }],
    })
    return settings
  })
}
