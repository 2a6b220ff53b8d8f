import { queryObjects } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { booleanFlag } from '../../../testing/boolean-flag.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { openLog } from '../../platform/log.ts'

/**
 * Of 300 requests. Usually none is left, but a connection that a worker opens meanwhile has some hundred. A request that
 * is kept has about 80, so 30 rounds that keep requests of one kind leave 2,400.
 */
const objectsAtMost = 1000

let service: TestService

beforeAll(async () => {
  service = await startTestService({ log: openLog('fatal', { write() {} }) })
})

afterAll(() => service.close())

/** Sends one request of each kind. The callers' own words differ in each round, to find what is kept by them. */
async function roundOfRequests() {
  const { admin } = service.people
  const { id } = (await service.call(admin, 'POST', '/api/v1/projects', { name: 'Memory' })).body.data
  const project = `/api/v1/projects/${id}`
  const [environment] = (await service.call(admin, 'GET', `${project}/environments`)).body.data
  const flag = (await service.call(admin, 'POST', `${project}/flags`, booleanFlag('kept'))).body.data
  const place = `${project}/flags/${flag.id}`
  let number = 0
  return async () => {
    number += 1
    const unknown = { authorization: `Bearer svc_svc_unknown-${number}` }
    const answers = [
      await service.call(admin, 'GET', `${project}/flags?limit=20&q=word-${number}`),
      await service.call(admin, 'GET', place),
      await service.call(admin, 'PATCH', place, { description: `edit ${number}` }),
      await service.call(admin, 'POST', `${place}/envs/${environment.id}/${number % 2 === 1 ? 'run' : 'pause'}`),
      await service.call(null, 'GET', `/api/sdk/v1/datafile/${environment.sdkKey}.json`),
      await service.call(admin, 'POST', `${project}/flags`, { name: number, key: 'x'.repeat(1000) }),
      await service.call(admin, 'GET', `${project}/flags/none-${number}`),
      await service.call(null, 'GET', '/api/v1/me', undefined, unknown),
      await service.call(null, 'GET', `/api/sdk/v1/datafile/sdk_${number}.json`),
      await service.call(null, 'GET', `/nowhere/${number}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 404, 401, 404, 404])
  }
}

/** How many objects are still referred to. Counting collects garbage first. */
const livingObjects = () => Number(queryObjects(Object, { format: 'count' }))

describe('a request that has been answered', () => {
  it('leaves no objects behind', async () => {
    const round = await roundOfRequests()
    // The first rounds load modules and fill caches.
    for (let count = 0; count < 20; count++) await round()
    const before = livingObjects()
    for (let count = 0; count < 30; count++) await round()
    expect(livingObjects() - before).toBeLessThan(objectsAtMost)
  }, 120_000)
})
