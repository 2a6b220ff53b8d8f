import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createFlag, createProject, dataFile, startTestService } from '../../../../testing/service.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { authors, systemActor } from '../../../platform/outbox.ts'
import { dataFileStore, lockEnvironments, publishing } from './index.ts'

const service = await startTestService()
afterAll(() => service.close())

test('a change that would make a data file too large for SDKs is refused and rolled back', async () => {
  const project = await createProject(service)
  const flag = await createFlag(service, project, 'flag')
  const { sdkKey } = project.production
  const before = await dataFile(service, sdkKey)
  const bytes = Buffer.byteLength(JSON.stringify(before))
  const by = authors([], () => new Date())(systemActor('test'))
  /** Publishes like the service, but with a given maximum size. */
  const rename = (key: string, maxBytes: number) => {
    const store = dataFileStore(async () => undefined)
    const scriptOf = () => ({ bytes: 0, etag: '' })
    return publishing(service.db, store, { baseUrl: 'http://127.0.0.1', maxBytes, scriptOf })(async (tx, republish) => {
      const environments = await lockEnvironments(tx, flag.projectId)
      await sql`update flags set key = ${key} where id = ${flag.id}`.execute(tx)
      return republish(tx, environments, [flag.id], by, { reason: 'EDITED' })
    })
  }

  const refused = await rename('flag-of-a-longer-key', bytes + 10)
  expect(isRefusal(refused) && refused).toMatchObject({
    refusal: 'invalid_state',
    message: expect.stringMatching(/^The data file of \w+ would have \d+ bytes, but SDKs accept at most \d+\./),
    details: { envId: expect.any(String), bytes: expect.any(Number), maxBytes: bytes + 10 },
  })
  expect(await dataFile(service, sdkKey)).toEqual(before)
  const { body } = await service.call(service.people.admin, 'GET', `${project.path}/flags/${flag.id}`)
  expect(body.data.key).toBe('flag')

  expect(isRefusal(await rename('flag-2', bytes + 10))).toBe(false)
  // If a file is already too large, changes that do not enlarge it are allowed, above all a pause.
  expect(isRefusal(await rename('f', 1))).toBe(false)
})
