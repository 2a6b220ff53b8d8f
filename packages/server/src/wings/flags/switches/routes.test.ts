import { afterAll, describe, expect, test } from 'vitest'
import {
  addRule,
  delivery,
  inProduction,
  newFlag,
  nobody,
  served,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

const post = (path: string, body?: unknown) => service.call(service.people.flagsWrite, 'POST', path, body)
const patch = (flag: TestFlag, body: unknown) => service.call(service.people.flagsWrite, 'PATCH', flag.production, body)
const revisions = async () => ({
  production: (await dataFile(service, project.production.sdkKey)).revision,
  development: (await dataFile(service, project.development.sdkKey)).revision,
})

/** Both ways to switch an environment: the calls run and pause, and PATCH. */
const ways = [
  ['the call', (flag: TestFlag, run: boolean) => post(`${flag.production}/${run ? 'run' : 'pause'}`)],
  ['PATCH', (flag: TestFlag, run: boolean) => patch(flag, { enabled: run })],
] as const

describe.each(ways)('an environment switched by %s', (way, turn) => {
  test('serves before the run returns and stops before the pause returns', async () => {
    const flag = await newFlag(service, project, { key: `switched-by-${way.replace(' ', '-')}` })
    await addRule(service, flag.production, delivery('Everybody'))
    const before = await revisions()

    const run = await turn(flag, true)
    expect(run.status).toBe(200)
    const file = await dataFile(service, project.production.sdkKey)
    expect(run.body.data).toMatchObject({
      flagId: flag.id,
      envId: project.production.id,
      ruleId: null,
      enabled: true,
      changed: true,
      flagStatus: 'RUNNING',
      dataFile: { revision: before.production + 1, publishedAt: file.publishedAt },
      suspendedSchedules: [],
    })
    const { headers } = await service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
    expect(run.body.data.dataFile.etag).toBe(headers.etag)
    expect(file.flags[flag.key]).toMatchObject({ enabled: true, rules: [{ variation: 'on' }] })

    const pause = await turn(flag, false)
    expect(pause.status).toBe(200)
    expect(pause.body.data).toMatchObject({
      enabled: false,
      changed: true,
      flagStatus: 'PAUSED',
      dataFile: { revision: before.production + 2 },
    })
    expect(await served(service, project, flag.key)).toMatchObject({
      enabled: false,
      defaultVariation: 'off',
      rules: [],
    })
    expect((await revisions()).development).toBe(before.development)
  })

  test('answers changed: false and keeps the revision if it already has that state', async () => {
    const flag = await newFlag(service, project, { key: `twice-by-${way.replace(' ', '-')}` })
    for (const run of [false, true, true, false, false].slice(0)) {
      const was = (await inProduction(service, flag)).enabled
      const before = await service.call(service.people.flagsRead, 'GET', flag.path)
      const { production } = await revisions()
      const { status, body } = await turn(flag, run)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ enabled: run, changed: run !== was })
      expect(body.data.dataFile.revision).toBe(production + (run === was ? 0 : 1))
      const after = await service.call(service.people.flagsRead, 'GET', flag.path)
      if (run === was) expect(after.body).toEqual(before.body)
    }
  })

  test('can be named by ids in capitals', async () => {
    const flag = await newFlag(service, project, { key: `in-capitals-${way.replace(' ', '-')}` })
    await addRule(service, flag.production, delivery('Everybody'))
    const ids = flag.production.split('/').map((part) => (part.length === 36 ? part.toUpperCase() : part))
    const { body } = await turn({ ...flag, production: ids.join('/') }, true)
    expect(body.data).toMatchObject({ flagId: flag.id, envId: project.production.id, enabled: true })
    expect(await served(service, project, flag.key)).toMatchObject({ enabled: true })
  })

  test('can be named by the short id of the flag', async () => {
    const flag = await newFlag(service, project, { key: `by-short-id-${way.replace(' ', '-')}` })
    const { shortId } = await succeed(service, 'GET', flag.path)
    const path = `${project.path}/flags/${shortId}`
    const { body } = await turn({ ...flag, path, production: `${path}/envs/${project.production.id}` }, true)
    expect(body.data).toMatchObject({ flagId: flag.id, enabled: true })
  })
})

describe('PATCH of an environment', () => {
  test('answers with the switch, the live default and the staged changes', async () => {
    const flag = await newFlag(service, project, { key: 'answers-more' })
    await post(`${flag.production}/run`)
    const { production } = await revisions()
    const { status, body } = await patch(flag, { defaultVariationId: flag.ids.on })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      enabled: true,
      defaultVariationId: flag.ids.off,
      staged: { defaultVariationId: flag.ids.on, variations: false, overrides: false, rules: 0 },
      dataFile: { revision: production },
    })
    expect((await served(service, project, flag.key)).defaultVariation).toBe('off')
  })

  test('answers changed: false with the staged changes if it only stages', async () => {
    const flag = await newFlag(service, project, { key: 'only-staged' })
    const { body } = await patch(flag, { defaultVariationId: flag.ids.on })
    expect(body.data).toMatchObject({ changed: false, staged: { defaultVariationId: flag.ids.on } })
  })

  test('stages the default and moves the switch in one call', async () => {
    const flag = await newFlag(service, project, { key: 'both-at-once' })
    await post(`${flag.production}/run`)
    const { body } = await patch(flag, { defaultVariationId: flag.ids.on, enabled: false })
    expect(body.data).toMatchObject({
      enabled: false,
      changed: true,
      staged: { defaultVariationId: flag.ids.on },
    })
  })

  test('changes nothing without fields', async () => {
    const flag = await newFlag(service, project, { key: 'nothing-to-do' })
    const { status, body } = await patch(flag, {})
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ changed: false, enabled: false, flagStatus: 'DRAFT' })
  })

  test.each<[string, unknown, unknown[]]>([
    ['an unknown variation', { defaultVariationId: nobody }, ['defaultVariationId']],
    ['a key in place of the id', { defaultVariationId: 'on' }, ['defaultVariationId']],
    ['an unknown variation and a run', { defaultVariationId: nobody, enabled: true }, ['defaultVariationId']],
    ['null', { defaultVariationId: null }, ['defaultVariationId']],
    ['a string for enabled', { enabled: 'true' }, ['enabled']],
    ['an unknown field', { paused: true }, ['paused']],
    ['no body', undefined, []],
  ])('is refused and changes nothing with %s', async (what, body, path) => {
    const flag = await newFlag(service, project, { key: `refused-${what.replaceAll(' ', '-')}` })
    const answer = await patch(flag, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(answer.body.error.details.issues[0].path).toEqual(path)
    expect(await inProduction(service, flag)).toMatchObject({ enabled: false, staged: { defaultVariationId: null } })
  })
})

describe('run and pause', () => {
  test('say of a missing flag or rule only that it is missing, whatever else is wrong', async () => {
    const flag = await newFlag(service, project, { key: 'only-missing' })
    const addresses = [
      ['Flag', `${project.path}/flags/${nobody}/envs/${project.production.id}/run`],
      ['Environment', `${project.path}/flags/${flag.id}/envs/${nobody}/pause`],
      ['Rule', `${flag.production}/rules/${nobody}/run`],
    ] as const
    for (const [what, address] of addresses)
      for (const [query, body] of [
        ['', undefined],
        ['?wait=x', undefined],
        ['', { force: true }],
      ] as const) {
        const answer = await post(`${address}${query}`, body)
        expect([answer.status, answer.body.error.message], `${address}${query}`).toEqual([
          404,
          `${what} "${nobody}" was not found.`,
        ])
      }
    const wrong = await post(`${flag.production}/run?wait=x`)
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'validation_failed'])
  })

  test('accept an empty object and refuse a field', async () => {
    const flag = await newFlag(service, project, { key: 'no-body-needed' })
    expect((await post(`${flag.production}/run`, {})).status).toBe(200)
    const { status, body } = await post(`${flag.production}/pause`, { force: true })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: ['force'] }] } })
    expect((await inProduction(service, flag)).enabled).toBe(true)
  })
})
