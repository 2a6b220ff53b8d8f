import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../testing/service.ts'

const url = '/api/v1/calculators/sample-size'
const rate = { type: 'PROPORTION', baseline: 0.05, minimumDetectableLift: 0.1 }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('the calculator answers any credential', async () => {
  const { status, body } = await service.call(service.people.flagsWrite, 'POST', url, {
    ...rate,
    test: 'FIXED_HORIZON',
    unitsPerDay: 4000,
  })
  expect(status).toBe(200)
  expect(body.data).toEqual({
    unitsPerVariation: 31_234,
    totalUnits: 62_468,
    primaryUnitsPerVariation: 31_234,
    guardrails: [],
    comparisons: 1,
    days: 16,
    recommendedDays: 21,
    durations: expect.arrayContaining([
      { days: 21, unitsPerVariation: 42_000, minimumDetectableLift: expect.closeTo(0.086, 3) },
    ]),
    assumptions: expect.any(Array),
  })
})

test.each([
  ['baseline', { ...rate, baseline: 5 }],
  ['stddev', { ...rate, type: 'MEAN' }],
  ['variations', { ...rate, variations: 1 }],
])('a wrong %s is refused', async (field, asked) => {
  const { status, body } = await service.call(service.people.owner, 'POST', url, asked)
  expect(status).toBe(400)
  expect(body.error.code).toBe('validation_failed')
  expect(JSON.stringify(body.error)).toContain(field)
})
