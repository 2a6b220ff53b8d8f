import { expect, onTestFinished, test } from 'vitest'
import { countsOf, openTests, resultsOf, send } from '../../../../bench/end-to-end/tests.ts'
import { dayMs } from '../../testing/clock.ts'
import { succeed } from '../../testing/flags.ts'
import { startTestService } from '../../testing/service.ts'

// A small form of `npm run bench -- end-to-end`.

test('results count exactly what SDKs decided and sent', async () => {
  let aheadMs = 0
  const service = await startTestService({ now: () => new Date(Date.now() + aheadMs) })
  onTestFinished(() => service.close())
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const site = {
    url: () => url,
    call: (method: 'GET' | 'POST', path: string, body?: object) => succeed(service, method, path, body),
  }
  const kind = { seed: 1, tests: 6, unitsPerVariation: 100, rates: { off: 0.2, on: 0.4 } }
  const opened = await openTests(site, kind)
  await send(site, kind, opened)
  // After this time, the day of the visits is complete.
  aheadMs = dayMs
  for (const outcome of await resultsOf(site, opened)) {
    expect(countsOf(outcome)).toEqual(outcome.saw)
    expect(outcome.results.units.total).toBe(2 * kind.unitsPerVariation)
    expect(outcome.results.health.checks).toContainEqual(
      expect.objectContaining({ check: 'SRM', status: 'OK', pValue: expect.any(Number) }),
    )
  }
})
