import { afterAll, beforeAll, expect, test } from 'vitest'
import { booleanFlag, createProject, type TestProject, type TestService, startTestService } from '../../../testing/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
})
afterAll(() => service.close())

test('a created flag is a draft, paused everywhere', async () => {
  const { status, body } = await service.call(service.people.admin, 'POST', `${project.path}/flags`, booleanFlag('first'))
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ status: 'DRAFT', stale: false, shortId: 1, key: 'first' })
})
