import { expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, succeed } from '../../testing/flags.ts'
import { createProject, dataFile, joinTestService, startTestService } from '../../testing/service.ts'

test('a published audience and an uploaded segment reach a different node', async () => {
  const one = await startTestService()
  const other = await joinTestService(one)
  const project = await createProject(one)
  const flag = await newFlag(one, project, { key: 'checkout' })
  const beta = { attribute: 'plan', operator: 'equals', value: 'beta' }
  const audience = await succeed(one, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions: beta })
  const segment = await succeed(one, 'POST', `${project.path}/segments`, { name: 'Testers' })
  const conditions = { any: [{ audience: audience.id }, { segment: segment.id }] }
  await addRule(one, flag.production, delivery('They', { conditions }))
  await succeed(one, 'POST', `${flag.production}/run`)
  const same = async () => {
    const served = await dataFile(one, project.production.sdkKey)
    await expect.poll(() => dataFile(other, project.production.sdkKey)).toEqual(served)
    return served
  }
  expect((await same()).audiences).toEqual({ [audience.shortId]: beta })

  await succeed(other, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { any: [] } })
  await publish(one, project)
  expect((await same()).audiences).toEqual({ [audience.shortId]: { any: [] } })

  await succeed(other, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: ['u-1'] })
  await expect
    .poll(async () => (await dataFile(one, project.production.sdkKey)).segments[segment.shortId].ids)
    .toMatch(/^[0-9a-f]{12}$/)
  await same()
  await other.close()
  await one.close()
})
