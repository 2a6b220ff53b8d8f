import { expect, onTestFinished, test } from 'vitest'
import { hourMs, minuteMs, standingClock } from '../../testing/clock.ts'
import { scheduledKind } from '../../testing/scheduled-kind.ts'
import { createProject, startTestService, type TestService } from '../../testing/service.ts'

const hourly = { every: 'HOUR', at: '00:15', timezone: 'UTC' } as const

async function twoNodes(role: 'api' | 'all') {
  const clock = standingClock('2026-11-20T08:10:00.000Z')
  const { now } = clock
  const first = await startTestService({ now, settings: { SVC_ROLE: role } })
  onTestFinished(() => first.close())
  const second = await startTestService({ now, address: first.address, settings: first.settings })
  onTestFinished(() => second.stop())
  const kind = scheduledKind(first, now)
  kind.addTo(first, second)
  return { clock, first, second, kind, project: await createProject(first) }
}

const reasonsIn = async (node: TestService, path: string): Promise<string[]> => {
  const { body } = await node.call(node.people.admin, 'GET', `${path}/events?after=0&limit=100`)
  return body.data
    .filter(({ event }: { event: string }) => event === 'commerce.job_failed')
    .map(({ reason }: { reason: string }) => reason)
}

test('of two nodes, one makes the job of a slot, and one reports that it is late', async () => {
  const { clock, first, second, kind, project } = await twoNodes('all')
  const sources = Array.from({ length: 5 }, () => kind.source(project))
  for (const source of sources) await source.set(hourly)
  clock.move(2 * hourMs)
  await Promise.all([first, second, first, second].flatMap(({ jobs }) => [jobs.schedule(), jobs.watch()]))
  await Promise.all([first.jobs.run(), second.jobs.run()])
  for (const source of sources) expect(await source.jobs()).toHaveLength(1)
  expect(await reasonsIn(first, project.path)).toEqual(
    sources.map(() => 'The run due at 2026-11-20T08:15:00Z did not start.'),
  )
})

test('nodes that do no background work report once that a slot has passed, and the late job does not again', async () => {
  const { clock, first, second, kind, project } = await twoNodes('api')
  const source = kind.source(project)
  await source.set(hourly)
  const watch = () => Promise.all([first.jobs.watch(), second.jobs.watch()])
  clock.move(10 * minuteMs)
  await watch()
  expect(await reasonsIn(first, project.path)).toEqual([])
  clock.move(1)
  await watch()
  clock.move(48 * hourMs)
  await watch()
  const told = ['The run due at 2026-11-20T08:15:00Z did not start.']
  expect(await reasonsIn(first, project.path)).toEqual(told)
  // A worker comes back.
  await first.jobs.run()
  expect(await source.jobs()).toMatchObject([{ status: 'SUCCEEDED', trigger: 'SCHEDULE' }])
  expect(await reasonsIn(first, project.path)).toEqual(told)
  clock.move(2 * hourMs)
  await watch()
  expect(await reasonsIn(first, project.path)).toHaveLength(2)
})

test('slots that come while jobs of their sources end are neither lost nor doubled', async () => {
  const { clock, first, second, kind, project } = await twoNodes('all')
  const sources = Array.from({ length: 6 }, () => kind.source(project))
  for (const source of sources) await source.set(hourly)
  for (let round = 0; round < 8; round += 1) {
    for (const source of sources) await source.ask()
    // A worker can end what was asked for at any time. A slot that nobody takes is late 5 minutes after it, and reported.
    clock.move(round === 0 ? 6 * minuteMs : hourMs)
    await Promise.all([first, second].flatMap(({ jobs }) => [jobs.run(), jobs.schedule()]))
    await Promise.all([first, second].map(({ jobs }) => jobs.run()))
  }
  for (const source of sources)
    expect([...new Set((await source.jobs()).map(({ status }) => status))]).toEqual(['SUCCEEDED'])
  expect(await reasonsIn(first, project.path)).toEqual([])
  for (const node of [first, second]) expect(node.logged()).not.toMatch(/deadlock/)
})
