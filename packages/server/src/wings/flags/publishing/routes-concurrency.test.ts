import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFull } from '../../../../testing/full.ts'
import {
  type Answer,
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'

/** As many flags are published at once. */
const many = isFull ? 20 : 8

let service: TestService
let project: TestProject
let url: string

beforeAll(async () => {
  service = await startTestService()
  url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  project = await createProject(service)
})
afterAll(() => service.close())

test('readers see whole files and no gap in the revisions during concurrent publishes', async () => {
  const flags = await Promise.all(
    Array.from({ length: many }, (_, index) => createFlag(service, project, `p-${index}`)),
  )
  const { id: envId, sdkKey } = project.production
  for (const flag of flags) {
    const path = `${project.path}/flags/${flag.id}/envs/${envId}`
    await service.call(service.people.admin, 'POST', `${path}/run`)
    const rule = { type: 'TARGETED_DELIVERY', name: 'Everybody', variationKey: 'on' }
    expect((await service.call(service.people.admin, 'POST', `${path}/rules`, rule)).status).toBe(201)
  }
  // Use real connections: injected requests in a loop would not let the process publish.
  const read = async () => {
    const answer = await fetch(`${url}/api/sdk/v1/datafile/${sdkKey}.json`)
    const text = await answer.text()
    return { etag: answer.headers.get('etag'), text, body: JSON.parse(text) }
  }
  const first = (await read()).body.revision

  const seen: number[] = []
  let publishing = true
  const reader = async () => {
    let last = first
    while (publishing) {
      const { body, text, etag } = await read()
      expect(etag).toBe(`"sha256-${createHash('sha256').update(text).digest('hex')}"`)
      expect(body.revision).toBeGreaterThanOrEqual(last)
      expect(Object.keys(body.flags)).toHaveLength(many)
      last = body.revision
      seen.push(last)
    }
  }
  const readers = [reader(), reader(), reader()]
  const publish = async (flagId: string): Promise<Answer> => {
    const path = `${project.path}/environments/${envId}/publish`
    const answer = await service.call(service.people.admin, 'POST', path, { flagIds: [flagId] })
    // The last of them waits longer than the service allows when other programs take the processors.
    return answer.status === 503 ? publish(flagId) : answer
  }
  const answers = await Promise.all(flags.map(({ id }) => publish(id)))
  publishing = false
  await Promise.all(readers)

  expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(200))
  const revisions = answers.map(({ body }) => body.data.revision).sort((one, other) => one - other)
  expect(revisions).toEqual(Array.from({ length: many }, (_, index) => first + 1 + index))
  expect(seen.length).toBeGreaterThan(0)
  const { body } = await read()
  expect(body.revision).toBe(first + many)
  for (const flag of flags) expect(body.flags[flag.key].rules).toHaveLength(1)
})

test('concurrent publishes make the drafts live once', async () => {
  const flag = await createFlag(service, project, 'once')
  const { id: envId } = project.development
  const path = `${project.path}/flags/${flag.id}/envs/${envId}`
  await service.call(service.people.admin, 'POST', `${path}/run`)
  await service.call(service.people.admin, 'POST', `${path}/rules`, {
    type: 'TARGETED_DELIVERY',
    name: 'Everybody',
    variationKey: 'on',
  })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      service.call(service.people.admin, 'POST', `${project.path}/environments/${envId}/publish`),
    ),
  )
  expect(answers.filter(({ body }) => body.data.changed)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.data.revision)).size).toBe(1)
})

test('concurrent creations of environments with one name create one and refuse the others', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      service.call(service.people.admin, 'POST', `${project.path}/environments`, { name: 'Staging' }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
})

test('a new environment contains a flag that is created at the same time', async () => {
  for (const round of isFull ? [1, 2, 3, 4] : [1, 2]) {
    const [flag, environment] = await Promise.all([
      createFlag(service, project, `both-${round}`),
      service.call(service.people.admin, 'POST', `${project.path}/environments`, { name: `Both ${round}` }),
    ])
    const { sdkKey } = environment.body.data
    const file = await service.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)
    expect(file.body.flags[flag.key]).toMatchObject({ enabled: false })
  }
})
