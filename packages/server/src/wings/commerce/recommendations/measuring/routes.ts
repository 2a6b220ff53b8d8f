import type { z } from 'zod'
import { isRefusal } from '../../../../catalogue/refusals.ts'
import { versionEtag } from '../../../../http/etag.ts'
import type { Route } from '../../../../http/route.ts'
import type { PlacementRoutes } from '../placements/index.ts'
import { type MeasureContext, measurePlacement } from './actions.ts'
import { measureBody } from './schema.ts'

export function measureRoute(
  route: Route,
  { one, url, data, present }: PlacementRoutes,
  context: MeasureContext,
): void {
  route({
    ...one,
    method: 'POST',
    url: `${url}/measure`,
    operationId: 'measurePlacement',
    summary: 'Measure a placement',
    description:
      'Makes the STRING flag `recommend-<key>` and an experiment between its variations `default` and `none`, with the metrics that are missing, and launches it. The primary metric is `revenue_per_visitor`; `margin_per_visitor` guards it if 95 % of the orders of the last 30 days have a margin. The placement then shows what it brings in `measurement`.',
    scope: 'recommendations:write',
    alsoNeeds: {
      scope: ['experiments:write', 'flags:write'],
      for: 'every placement',
      isNeededFor: () => true,
    },
    status: 201,
    body: measureBody,
    data,
    etag: true,
    async handle({ found, caller, by, body }) {
      const which = { orgId: caller.organization.id, projectId: found.projectId, id: found.id }
      const measured = await measurePlacement(context, by, which, body)
      if (isRefusal(measured)) return measured
      const [shown] = await present([measured], caller)
      return { data: shown as z.input<typeof data>, etag: versionEtag('placement', measured.version) }
    },
  })
}
