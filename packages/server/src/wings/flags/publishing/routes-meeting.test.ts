import { afterAll, afterEach, expect, test } from 'vitest'
import { isFull } from '../../../../testing/full.ts'
import { createFlag, createProject, dataFile, startTestService } from '../../../../testing/service.ts'
import { repeatedTransactions } from '../../../platform/transaction.ts'

// Concurrent changes that need the same rows in a different order. Each pair once deadlocked or missed the other change.

const service = await startTestService()
const { admin } = service.people
afterAll(() => service.close())

// A deadlock that is begun again succeeds, but slowly: somebody has waited for a second.
const repeatedBefore = repeatedTransactions()
afterEach(() => expect(repeatedTransactions()).toBe(repeatedBefore))

const rounds = Array.from({ length: isFull ? 6 : 2 }, (_, round) => round)
const callers = [0, 1, 2, 3]
const faults = (answers: { status: number; text: string }[]) =>
  answers.filter(({ status }) => status >= 500).map(({ text }) => text)

test('concurrent publishes and edits of the same flag all succeed', async () => {
  const project = await createProject(service)
  const flag = await createFlag(service, project, 'edited')
  const environment = `${project.path}/environments/${project.production.id}`
  const path = `${project.path}/flags/${flag.id}/envs/${project.production.id}`
  for (const round of rounds) {
    const overrides = (caller: number) => ({
      environmentAllowlist: [{ variationKey: 'on', userIds: [`u-${round}-${caller}`] }],
      ruleAllowlists: [],
    })
    const answers = await Promise.all([
      ...callers.map((caller) => service.call(admin, 'PUT', `${path}/overrides`, overrides(caller))),
      ...callers.map(() => service.call(admin, 'POST', `${environment}/publish`, {})),
    ])
    expect(faults(answers)).toEqual([])
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
  }
})

test('environments that move, are created, deleted and switched at once keep an order without gaps', async () => {
  const project = await createProject(service)
  const flag = await createFlag(service, project, 'ordered')
  const url = `${project.path}/environments`
  const run = `${project.path}/flags/${flag.id}/envs/${project.production.id}/run`
  const named = (round: number, caller: number) => ({ name: `E ${round} ${caller}`, position: caller })
  for (const round of rounds.slice(0, 3)) {
    const answers = await Promise.all(
      callers.flatMap((caller) => [
        service.call(admin, 'PATCH', `${url}/${project.production.id}`, { position: caller }),
        service.call(admin, 'PATCH', `${url}/${project.development.id}`, { position: 0 }),
        service.call(admin, 'POST', url, named(round, caller)),
        service.call(admin, 'DELETE', `${url}/e-${round - 1}-${caller}`),
        service.call(admin, 'PATCH', `${project.path}/flags/${flag.id}`, { description: `${round} ${caller}` }),
        service.call(admin, 'POST', run),
      ]),
    )
    expect(faults(answers)).toEqual([])
  }
  const { body } = await service.call(admin, 'GET', `${url}?limit=100`)
  expect(body.data.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4, 5])
})

test('switches that stage a default and concurrent edits of an audience of the flag all succeed', async () => {
  const project = await createProject(service)
  const flag = await createFlag(service, project, 'switched')
  const conditions = (value: string) => ({ attribute: 'plan', operator: 'equals', value })
  const created = await service.call(admin, 'POST', `${project.path}/audiences`, {
    name: 'Beta',
    conditions: conditions('beta'),
  })
  const audience = created.body.data.id
  const path = `${project.path}/flags/${flag.id}/envs/${project.production.id}`
  const rule = { type: 'TARGETED_DELIVERY', name: 'Beta', variationKey: 'on', audienceIds: [audience] }
  expect((await service.call(admin, 'POST', `${path}/rules`, rule)).status).toBe(201)
  expect((await service.call(admin, 'POST', `${path}/run`)).status).toBe(200)
  for (const round of rounds) {
    const answers = await Promise.all(
      callers.flatMap((caller) => [
        service.call(admin, 'PATCH', path, {
          defaultVariationId: flag.variations[caller % 2].id,
          enabled: caller % 2 === 0,
        }),
        service.call(admin, 'PATCH', `${project.path}/audiences/${audience}`, {
          conditions: conditions(`beta ${round} ${caller}`),
        }),
      ]),
    )
    expect(faults(answers)).toEqual([])
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
  }
})

test('an environment created while its flags are changed or deleted can be published', async () => {
  const project = await createProject(service)
  for (const round of rounds) {
    const [leaving, archived, varied] = await Promise.all(
      ['leaving', 'archived', 'varied'].map((what) => createFlag(service, project, `${what}-${round}`)),
    )
    const flags = `${project.path}/flags`
    await service.call(admin, 'POST', `${flags}/${archived.id}/envs/${project.production.id}/run`)
    await service.call(admin, 'POST', `${flags}/${archived.id}/envs/${project.production.id}/pause`)
    const variations = [...varied.variations].reverse().map(({ key, value }) => ({ name: `Of ${round}`, key, value }))
    const [made, ...others] = await Promise.all([
      service.call(admin, 'POST', `${project.path}/environments`, { name: `Round ${round}` }),
      service.call(admin, 'DELETE', `${flags}/${leaving.id}`),
      service.call(admin, 'POST', `${flags}/${archived.id}/archive`),
      service.call(admin, 'PUT', `${flags}/${varied.id}/variations`, { variations }),
    ])
    expect(faults([made, ...others])).toEqual([])
    expect([made, ...others].map(({ status }) => status)).toEqual([201, 200, 200, 200])
    const { flags: served } = await dataFile(service, made.body.data.sdkKey)
    expect(Object.keys(served)).not.toContain(`leaving-${round}`)
    expect(Object.keys(served)).not.toContain(`archived-${round}`)
    // In any order, the environment only has variations of the flag and can be published.
    const published = await service.call(admin, 'POST', `${project.path}/environments/${made.body.data.id}/publish`, {})
    expect(published.status, published.text).toBe(200)
    const { flags: after } = await dataFile(service, made.body.data.sdkKey)
    expect(after[`varied-${round}`].variations).toEqual({ off: 'false', on: 'true' })
  }
})
