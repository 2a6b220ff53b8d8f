import { afterAll, expect, test } from 'vitest'
import { createFlag, createProject, dataFile, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

test('8 concurrent runs of one environment change it once', async () => {
  const flag = await createFlag(service, project, 'eight-runs')
  const before = await dataFile(service, project.production.sdkKey)
  const path = `${project.path}/flags/${flag.id}/envs/${project.production.id}`
  const answers = await times(8, () => service.call(service.people.admin, 'POST', `${path}/run`))

  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(answers.filter(({ body }) => body.data.changed)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.data.dataFile.revision))).toEqual(new Set([before.revision + 1]))
  const after = await dataFile(service, project.production.sdkKey)
  expect(after.revision).toBe(before.revision + 1)
  expect(after.flags['eight-runs'].enabled).toBe(true)
})

test('concurrent switches of many flags in both environments do not deadlock or lose a revision', async () => {
  const flags = await times(6, (index) => createFlag(service, project, `many-${index}`))
  const before = await dataFile(service, project.production.sdkKey)
  const environments = [project.production, project.development]
  const answers = await Promise.all(
    flags.flatMap((flag) => [
      ...environments.map(({ id }) =>
        service.call(service.people.admin, 'POST', `${project.path}/flags/${flag.id}/envs/${id}/run`),
      ),
      service.call(service.people.admin, 'PATCH', `${project.path}/flags/${flag.id}`, { name: 'Renamed' }),
      service.call(service.people.admin, 'PUT', `${project.path}/flags/${flag.id}/variations`, {
        variations: flag.variations,
      }),
    ]),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
  const after = await dataFile(service, project.production.sdkKey)
  expect(after.revision).toBe(before.revision + flags.length)
  for (const flag of flags) expect(after.flags[flag.key].enabled).toBe(true)
})

test('a concurrent run and archive end in one of the two states, never in both', async () => {
  for (const round of [1, 2, 3, 4]) {
    const flag = await createFlag(service, project, `race-${round}`)
    const path = `${project.path}/flags/${flag.id}`
    const [run, archive] = await Promise.all([
      service.call(service.people.admin, 'POST', `${path}/envs/${project.production.id}/run`),
      service.call(service.people.admin, 'POST', `${path}/archive`),
    ])
    expect([run.status, archive.status].sort()).toEqual([200, 409])
    const { flags } = await dataFile(service, project.production.sdkKey)
    expect(flags[flag.key]?.enabled).toBe(run.status === 200 ? true : undefined)
  }
})
