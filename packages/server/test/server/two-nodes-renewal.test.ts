import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newFlag, succeed } from '../../testing/flags.ts'
import { createProject, dataFile, joinTestService, startTestService } from '../../testing/service.ts'

test('two nodes that start at once after an upgrade make one revision of each outdated data file', async () => {
  const service = await startTestService()
  const project = await createProject(service)
  const flag = await newFlag(service, project, { key: 'checkout' })
  await succeed(service, 'POST', `${flag.production}/run`)
  const { sdkKey } = project.production
  const before = await dataFile(service, sdkKey)
  // The state after the migration to short ids: the fragments still have the old names.
  await sql`update environments set outdated = true where project_id = ${project.id}`.execute(service.db)
  await sql`update flag_environments set fragment = replace(fragment, '"id":"1"', '"id":"old"')
    where flag_id = ${flag.id}`.execute(service.db)
  await service.stop()
  const nodes = await Promise.all([joinTestService(service), joinTestService(service)])
  for (const node of nodes) {
    const after = await dataFile(node, sdkKey)
    expect(after).toEqual({ ...before, revision: before.revision + 1, publishedAt: after.publishedAt })
  }
  for (const node of nodes) await node.stop()
  await service.close()
})
