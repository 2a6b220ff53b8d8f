import { expect, onTestFinished, test } from 'vitest'
import { standingClock } from '../../testing/clock.ts'
import { succeed } from '../../testing/flags.ts'
import { createProject, startTestService } from '../../testing/service.ts'

test('each of several jobs is run once by two nodes, and they do not overlap', async () => {
  const { now } = standingClock()
  const first = await startTestService({ now })
  onTestFinished(() => first.close())
  const second = await startTestService({ now, address: first.address, settings: first.settings })
  onTestFinished(() => second.stop())
  const { path } = await createProject(first)
  const ids: string[] = []
  for (let each = 0; each < 4; each += 1)
    ids.push((await succeed(first, 'POST', `${path}/erasures`, { units: [`u-${each}`] })).id)
  await Promise.all([first.jobs.run(), second.jobs.run()])
  const read = async () => Promise.all(ids.map((id) => succeed(first, 'GET', `${path}/commerce/jobs/${id}`)))
  await expect.poll(async () => (await read()).map(({ status }) => status)).toEqual(ids.map(() => 'SUCCEEDED'))
  expect((await read()).map(({ attempt }) => attempt)).toEqual(ids.map(() => 1))
  const { body } = await first.call(first.people.admin, 'GET', `${path}/events?after=0&limit=100`)
  expect(body.data.filter(({ event }: { event: string }) => event === 'visitor.erased')).toHaveLength(4)
})
