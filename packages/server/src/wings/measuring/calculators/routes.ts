import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Route } from '../../../http/route.ts'
import { sampleSizeBody, sampleSizeSchema } from './schema.ts'

export function calculatorRoutes(route: Route): void {
  route({
    method: 'POST',
    url: '/api/v1/calculators/sample-size',
    operationId: 'calculateSampleSize',
    summary: 'Calculate how many visitors an A/B test needs',
    description:
      'Returns the visitors per variation, and with `unitsPerDay` how long the test runs. Nothing is changed.',
    tag: 'Calculator',
    scope: null,
    idempotent: false,
    body: sampleSizeBody,
    data: sampleSizeSchema,
    async handle({ body }) {
      // The library of distributions loads with the first question, not with the service.
      const { planSample } = await import('./sample-size.ts')
      const planned = planSample(body)
      return isRefusal(planned) ? planned : { data: planned }
    },
  })
}
