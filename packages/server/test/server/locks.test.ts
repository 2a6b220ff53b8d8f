import { expect, test } from 'vitest'
import { lockProject } from '../../src/wings/flags/projects/index.ts'
import { createFlag, createProject, startTestService } from '../../testing/service.ts'

test('adding to a project does not block a change in one environment', async () => {
  const service = await startTestService()
  const project = await createProject(service)
  const flag = await createFlag(service, project, 'changed')
  const { body } = await service.call(service.people.admin, 'GET', '/api/v1/me')
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const adding = service.db.transaction().execute(async (tx) => {
    expect(await lockProject(tx, body.data.organization.id, project.id)).toBeDefined()
    locked.resolve()
    await release.promise
  })
  await locked.promise
  // Its audit entry and events refer to the project, so a lock that blocks references would make it wait here.
  const path = `${project.path}/flags/${flag.id}/envs/${project.production.id}`
  expect((await service.call(service.people.admin, 'POST', `${path}/run`)).status).toBe(200)
  const overrides = { environmentAllowlist: [{ variationKey: 'on', userIds: ['u-17'] }], ruleAllowlists: [] }
  expect((await service.call(service.people.admin, 'PUT', `${path}/overrides`, overrides)).status).toBe(200)
  release.resolve()
  await adding
  await service.close()
})
