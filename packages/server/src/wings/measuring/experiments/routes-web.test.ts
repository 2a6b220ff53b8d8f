import { compile } from '@svc/core'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { nobody, succeed } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { newServiceToken } from '../../../../testing/people.ts'
import {
  type Answer,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
} from '../../../../testing/service.ts'
import { design } from '../../../../testing/web-experiments.ts'

let moment = Date.parse('2026-11-20T10:00:00Z')
const service = await startTestService({ now: () => new Date(moment) })
let project: TestProject
let url: string

beforeEach(async () => {
  moment += 60_000
  project = await createProject(service, service.people.admin, 'WEB')
  url = `${project.path}/experiments`
})
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  service.call(service.people.admin, method, path, body, headers)
const done = (method: Method, path: string, body?: unknown) => succeed(service, method, path, body)
const create = (body: object = {}) => done('POST', url, { name: 'Price in the headline', ...body })
const move = (experiment: { id: string }, verb: string, body?: object) =>
  done('POST', `${url}/${experiment.id}/${verb}`, body)
/** A launch of a draft that has been designed. */
const launch = async (experiment: { id: string }) => {
  await design(service, `${url}/${experiment.id}`)
  return move(experiment, 'launch')
}
const edit = (experiment: { id: string }, body: object) => done('PATCH', `${url}/${experiment.id}`, body)
const file = () => dataFile(service, project.production.sdkKey)
const served = async () => Object.keys((await file()).flags)
const environment = () => `${project.path}/environments/${project.production.id}`
const issuesOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'))
const hiddenFlag = async () => {
  const { rows } = await sql<{ id: string; key: string }>`
    select id, key from flags where project_id = ${project.id}`.execute(service.db)
  return rows
}
/** The names of the events of the project, the first one first. */
const events = async (): Promise<string[]> =>
  (await done('GET', `${project.path}/events?limit=100`)).map(({ event }: { event: string }) => event)

describe('a new web experiment', () => {
  test('has two variations, no flag, and is in no data file', async () => {
    const made = await create()
    expect(made).toMatchObject({
      ...{ type: 'WEB', shortId: 1, status: 'DRAFT', flagId: null, envId: project.production.id },
      variations: [
        { key: 'original', name: 'Original', weight: 5000 },
        { key: 'variation-1', name: 'Variation 1', weight: 5000 },
      ],
      ...{ baselineVariationKey: 'original', hasStagedChanges: false, launchedAt: null },
    })
    expect(await done('GET', `${url}/1`)).toEqual(made)
    expect(await done('GET', `${url}?type=WEB`)).toEqual([made])
    expect(await served()).toEqual([])
    expect((await file()).revision).toBe(0)
  })

  test('takes its variations, their names and the definition of a test', async () => {
    await done('POST', `${project.path}/metrics`, proportion('sign_up'))
    const variations = [
      { key: 'a', weight: 2000, name: 'Without' },
      { key: 'b', weight: 8000 },
    ]
    const made = await create({
      ...{ variations, baselineVariationKey: 'b', metrics: { primary: ['sign_up'] } },
      ...{ envId: 'development', allowlist: [{ variationKey: 'a', userIds: ['qa-1'] }] },
    })
    expect(made).toMatchObject({
      envId: project.development.id,
      variations: [
        { key: 'a', name: 'Without', weight: 2000 },
        { key: 'b', name: 'B', weight: 8000 },
      ],
      ...{ baselineVariationKey: 'b', metrics: { primary: ['sign_up'] } },
      allowlist: [{ variationKey: 'a', userIds: ['qa-1'] }],
    })
    const [metric] = await done('GET', `${project.path}/metrics`)
    expect(metric.usedBy).toEqual([{ type: 'experiment', id: made.id, envId: project.development.id }])
  })

  test.each([
    ['a flag', { flagId: nobody }, 'flagId'],
    ['a rule', { ruleId: nobody }, 'ruleId'],
    ['an unknown environment', { envId: nobody }, 'envId'],
    ['one variation', { variations: [{ key: 'a', weight: 10_000 }] }, 'variations'],
    ['the same key twice', { variations: [1, 2].map(() => ({ key: 'a', weight: 5000 })) }, 'variations.1.key'],
    ['a key with a space', { variations: ['a', 'b c'].map((key) => ({ key, weight: 5000 })) }, 'variations.1.key'],
    ['weights that do not sum up', { variations: ['a', 'b'].map((key) => ({ key, weight: 1 })) }, 'variations'],
    ['an unknown baseline', { baselineVariationKey: 'c' }, 'baselineVariationKey'],
    ['a space after bucketBy', { bucketBy: 'company ' }, 'bucketBy'],
  ])('is refused with %s', async (_what, body, field) => {
    const answer = await call('POST', url, { name: 'Refused', ...body })
    expect([answer.status, issuesOf(answer)[0]]).toEqual([400, field])
    expect([await hiddenFlag(), await done('GET', url)]).toEqual([[], []])
  })

  test('is not possible in a project of flags, whose experiments need a flag', async () => {
    const { path } = await createProject(service)
    const answer = await call('POST', `${path}/experiments`, { name: 'Web' })
    expect([answer.status, issuesOf(answer)]).toEqual([400, ['flagId', 'variations', 'baselineVariationKey']])
  })
})

describe('before the launch', () => {
  test('variations are added, removed and renamed, and the baseline moves', async () => {
    const made = await create({ allowlist: [{ variationKey: 'variation-1', userIds: ['qa-1'] }] })
    const original = made.variations[0]
    const variations = [
      { key: 'original', weight: 4000, name: 'As it is' },
      { key: 'price', weight: 3000 },
      { key: 'badge', weight: 3000 },
    ]
    const refused = await call('PATCH', `${url}/${made.id}`, { variations })
    expect([refused.status, issuesOf(refused)]).toEqual([400, ['allowlist']])
    const edited = await edit(made, {
      ...{ variations, baselineVariationKey: 'price' },
      allowlist: [{ variationKey: 'badge', userIds: ['qa-2'] }],
    })
    expect(edited.variations.map(({ key, name, weight }: Record<string, unknown>) => [key, name, weight])).toEqual([
      ['original', 'As it is', 4000],
      ['price', 'Price', 3000],
      ['badge', 'Badge', 3000],
    ])
    expect([edited.variations[0].id, edited.baselineVariationKey]).toEqual([original.id, 'price'])
    const gone = await call('PATCH', `${url}/${made.id}`, {
      variations: ['original', 'badge'].map((key) => ({ key, weight: 5000 })),
    })
    expect([gone.status, issuesOf(gone)]).toEqual([400, ['baselineVariationKey']])
    await launch(made)
    const { x1 } = (await file()).flags
    expect([x1.variations, x1.defaultVariation]).toEqual([
      { original: 'original', price: 'price', badge: 'badge' },
      'price',
    ])
  })

  test('nothing is staged, and a publish of the environment leaves it alone', async () => {
    const made = await create()
    await edit(made, { trafficAllocation: 100 })
    expect((await done('GET', `${environment()}/staged`)).experiments).toEqual([])
    expect((await done('GET', environment())).hasStagedChanges).toBe(false)
    expect(await done('POST', `${environment()}/publish`)).toMatchObject({ changed: false, experiments: [] })
    await launch(made)
    expect((await file()).flags.x1.rules[0].traffic).toBe(100)
  })

  test('a new environment gets no part of it', async () => {
    await create()
    const { id } = await done('POST', `${project.path}/environments`, {
      name: 'Staging',
      copyFromEnvId: project.production.id,
    })
    const { rows } = await sql`select from flag_environments where env_id = ${id}`.execute(service.db)
    expect(rows).toEqual([])
  })
})

describe('a running web experiment', () => {
  test('is served under x and its number, until it is paused', async () => {
    const made = await create()
    const launched = await launch(made)
    expect(launched).toMatchObject({ status: 'RUNNING', changed: true, dataFile: { revision: 1 } })
    const served1 = await file()
    const seen = new Set(
      Array.from({ length: 50 }, (_none, nth) => compile(served1).evaluate('x1', { targetingKey: `u-${nth}` }).value),
    )
    expect([...seen].sort()).toEqual(['original', 'variation-1'])
    expect(await move(made, 'launch')).toMatchObject({ changed: false })
    await move(made, 'pause')
    expect(await served()).toEqual([])
    await move(made, 'resume')
    expect((await file()).flags).toEqual(served1.flags)
  })

  test('has staged changes by its own fields, which are discarded or published', async () => {
    const made = await create()
    await launch(made)
    await edit(made, {
      ...{ trafficAllocation: 5000, baselineVariationKey: 'variation-1' },
      allowlist: [{ variationKey: 'original', userIds: ['qa-1'] }],
    })
    const list = await done('GET', `${environment()}/staged`)
    expect([list.flags, await done('GET', `${environment()}/staged?experimentId=1`)]).toEqual([[], list])
    const named = { id: made.id, shortId: 1, name: made.name }
    expect(list.experiments).toMatchObject([
      {
        ...named,
        changes: [
          { path: 'allowlist', from: [], to: [{ variationKey: 'original', userIds: ['qa-1'] }], by: { name: 'admin' } },
          { path: 'trafficAllocation', from: 10_000, to: 5000, rules: [] },
          { path: 'baselineVariationKey', from: 'original', to: 'variation-1' },
        ],
      },
    ])
    expect(await done('GET', `${url}/1`)).toMatchObject({ hasStagedChanges: true })
    const unknown = await call('POST', `${environment()}/staged/discard`, { experimentId: '1', paths: ['salt'] })
    expect([unknown.status, issuesOf(unknown)]).toEqual([400, ['paths.0']])
    const left = await done('POST', `${environment()}/staged/discard`, {
      experimentId: '1',
      paths: ['allowlist', 'baselineVariationKey'],
    })
    expect(left.experiments).toMatchObject([{ ...named, changes: [{ path: 'trafficAllocation' }] }])
    const { rows } = await sql`
      select object_type, object_id, before, after from audit_entries
      where project_id = ${project.id} and action = 'experiment.discard_changes'`.execute(service.db)
    const envId = project.production.id
    const allowlist = [{ variationKey: 'original', userIds: ['qa-1'] }]
    expect(rows).toMatchObject([
      {
        ...{ object_type: 'experiment', object_id: made.id },
        before: { envId, changes: { allowlist, baselineVariationKey: 'variation-1' } },
        after: { envId, changes: { allowlist: [], baselineVariationKey: 'original' } },
      },
    ])
    const published = await done('POST', `${environment()}/publish`, { comment: 'Half of them' })
    expect(published).toMatchObject({
      ...{ changed: true, revision: 2, flags: [] },
      experiments: [{ ...named, changes: [{ path: 'trafficAllocation', from: 10_000, to: 5000 }] }],
    })
    const { x1 } = (await file()).flags
    expect([x1.defaultVariation, x1.rules[0].traffic, x1.rules[0].overrides]).toEqual(['original', 5000, undefined])
  })

  test('is published by itself, bound to its own list of staged changes', async () => {
    const made = await create()
    await launch(made)
    await edit(made, { baselineVariationKey: 'variation-1' })
    const { headers } = await call('GET', `${environment()}/staged?experimentId=${made.id}`)
    await edit(made, { trafficAllocation: 5000 })
    const stale = { 'x-svc-if-match': String(headers.etag) }
    expect((await call('POST', `${url}/${made.id}/publish`, undefined, stale)).status).toBe(412)
    const now = await call('GET', `${environment()}/staged?experimentId=${made.id}`)
    const bound = { 'x-svc-if-match': String(now.headers.etag) }
    const { status, body } = await call('POST', `${url}/${made.id}/publish`, undefined, bound)
    expect([status, body.data.changes.map(({ path }: { path: string }) => path)]).toEqual([
      200,
      ['trafficAllocation', 'baselineVariationKey'],
    ])
    expect((await file()).flags.x1.defaultVariation).toBe('variation-1')
  })

  test('is what revisions, restores and explanations name', async () => {
    const made = await create()
    await launch(made)
    await edit(made, { trafficAllocation: 5000 })
    await move(made, 'publish')
    const named = { id: made.id, shortId: 1, name: made.name }
    const [second, first] = await done('GET', `${environment()}/revisions`)
    expect(second).toMatchObject({ flags: [], flagCount: 0, experiments: [{ ...named, change: 'CHANGED' }] })
    expect(first).toMatchObject({ switched: { what: 'EXPERIMENT', to: 'RUN' }, experiments: [{ change: 'ADDED' }] })
    expect(await done('GET', `${environment()}/revisions/2`)).toMatchObject({
      flags: [],
      experiments: [{ ...named, changes: [{ path: 'trafficAllocation', from: 10_000, to: 5000, rules: [] }] }],
    })
    expect(await done('POST', `${environment()}/revisions/1/restore`)).toMatchObject({
      ...{ changed: true, flags: [] },
      experiments: [{ ...named, changes: [{ path: 'trafficAllocation', from: 5000, to: 10_000 }] }],
    })
    expect((await done('GET', `${environment()}/staged`)).experiments).toMatchObject([named])
    const explained = await done('POST', `${environment()}/evaluate`, { context: { targetingKey: 'u-1' } })
    expect(explained.flags).toMatchObject([{ flagId: null, experimentId: made.id, flagKey: 'x1' }])
  })

  test('has its slot in a group by its own name', async () => {
    const group = await done('POST', `${project.path}/exclusion-groups`, { name: 'Home' })
    const made = await create({ exclusionGroupId: group.id })
    const [{ slots }] = await done('GET', `${project.path}/exclusion-groups`)
    expect(slots).toMatchObject([{ experimentId: made.id, flagId: null, ruleId: made.ruleId }])
    const refused = await call('DELETE', `${project.path}/exclusion-groups/${group.id}`)
    expect(refused.body.error.details.references).toEqual([
      { type: 'experiment', id: made.id, envId: project.production.id },
    ])
  })

  test('is launched by a schedule, and its schedule names no flag', async () => {
    const made = await create()
    await design(service, `${url}/${made.id}`)
    const runAt = new Date(moment + 3_600_000).toISOString()
    const set = await done('PUT', `${url}/${made.id}/schedule`, { action: 'RUN', runAt })
    expect([set.flagId, set.ruleId]).toEqual([null, made.ruleId])
    expect(await done('GET', `${project.path}/schedules`)).toMatchObject([
      { flag: null, flagId: null, experiment: { id: made.id } },
    ])
    moment = Date.parse(runAt)
    await service.schedules.run()
    expect((await done('GET', `${url}/${made.id}`)).status).toBe('RUNNING')
    expect(await served()).toEqual(['x1'])
    const flagEvents = (await events()).filter((name) => name.startsWith('flag.'))
    expect(flagEvents).toEqual([])
  })
})

describe('events of a web experiment', () => {
  test('of its schedule and of its health have no flag', async () => {
    const made = await create()
    const runAt = new Date(moment + 3_600_000).toISOString()
    await done('PUT', `${url}/${made.id}/schedule`, { action: 'RUN', runAt })
    moment = Date.parse(runAt) + 2 * 3_600_000
    await service.schedules.run()
    const bodies = await done('GET', `${project.path}/events?limit=100`)
    const failed = bodies.find(({ event }: { event: string }) => event === 'experiment.schedule_failed')
    expect(failed).toMatchObject({
      experiment: { id: made.id, status: 'DRAFT' },
      schedule: { flagId: null, status: 'FAILED' },
      environment: { id: project.production.id },
      rule: { id: made.ruleId },
    })
    expect(bodies.filter((body: object) => 'flag' in body || 'flags' in body)).toEqual([])
  })
})

describe('the end', () => {
  test('a winner is served in place of the test until the experiment is archived', async () => {
    const made = await create()
    await launch(made)
    const dry = await move(made, 'winner', { variationKey: 'variation-1', rollOut: true, dryRun: true })
    expect(dry.changes).toEqual([{ path: 'winner', from: null, to: 'variation-1' }])
    await move(made, 'winner', { variationKey: 'variation-1', rollOut: true })
    const rolledOut = (await file()).flags.x1
    expect(rolledOut.rules).toMatchObject([{ type: 'TARGETED_DELIVERY', variation: 'variation-1' }])
    const renamed = await edit(made, { name: 'Renamed' })
    expect([renamed.name, renamed.status]).toEqual(['Renamed', 'COMPLETED'])
    const kept = await call('DELETE', project.path, undefined, {
      'x-svc-confirm': (await done('GET', project.path)).key,
    })
    expect([kept.status, kept.body.error.details.references]).toEqual([
      409,
      [{ type: 'experiment', id: made.id, envId: project.production.id }],
    ])
    const archived = await move(made, 'archive')
    expect(archived.warnings).toMatchObject([{ code: 'ROLL_OUT_ENDS' }])
    expect([archived.status, await served()]).toEqual(['ARCHIVED', []])
    const { revision } = await file()
    const back = await move(made, 'unarchive')
    expect(back).toMatchObject({ status: 'COMPLETED', changed: true, dataFile: { revision: revision + 1 } })
    expect((await file()).flags.x1).toEqual(rolledOut)
    const another = await call('POST', `${url}/${made.id}/winner`, { variationKey: 'original', rollOut: true })
    expect([another.status, another.body.error.message]).toEqual([
      409,
      'variation-1 was rolled out, so no other winner can be declared. To end the roll-out, archive the experiment. To test again, duplicate it.',
    ])
    await move(made, 'archive')
    await done('DELETE', `${url}/${made.id}`)
    expect(await hiddenFlag()).toEqual([])
  })

  test('a completed experiment is served no longer, and a copy of it has its own number', async () => {
    const made = await create({ variations: ['a', 'b'].map((key) => ({ key, weight: 5000, name: `Name of ${key}` })) })
    await launch(made)
    await edit(made, { trafficAllocation: 5000 })
    await move(made, 'complete')
    expect([await served(), (await done('GET', `${environment()}/staged`)).experiments]).toEqual([[], []])
    const copy = await move(made, 'duplicate', { envId: 'development' })
    expect(copy).toMatchObject({
      ...{ shortId: 2, status: 'DRAFT', flagId: null, envId: project.development.id, trafficAllocation: 10_000 },
      variations: [
        { key: 'a', name: 'Name of a' },
        { key: 'b', name: 'Name of b' },
      ],
    })
    expect((await hiddenFlag()).map(({ key }) => key).sort()).toEqual(['x1', 'x2'])
    await move(made, 'archive')
    await move(made, 'unarchive')
    expect((await done('GET', `${url}/1`)).status).toBe('COMPLETED')
  })

  test('a deleted experiment holds its audience no longer', async () => {
    const conditions = { attribute: 'country', operator: 'equals', value: 'NL' }
    const audience = await done('POST', `${project.path}/audiences`, { name: 'Dutch', conditions })
    const made = await create({ audienceIds: [audience.id] })
    await launch(made)
    await move(made, 'complete')
    await move(made, 'archive')
    const { revision } = await file()
    await done('DELETE', `${url}/${made.id}`)
    await done('PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { ...conditions, value: 'BE' } })
    expect((await done('GET', `${environment()}/staged`)).audiences).toEqual([])
    expect([(await file()).revision, await done('DELETE', `${project.path}/audiences/${audience.id}`)]).toEqual([
      revision,
      null,
    ])
  })

  test('an environment with an experiment that is not archived stays', async () => {
    const { id } = await done('POST', `${project.path}/environments`, { name: 'Staging' })
    const made = await create({ envId: id })
    const refused = await call('DELETE', `${project.path}/environments/${id}`)
    expect([refused.status, refused.body.error.details.references]).toEqual([
      409,
      [{ type: 'experiment', id: made.id }],
    ])
    await move(made, 'archive')
    await done('DELETE', `${project.path}/environments/${id}`)
    expect([await done('GET', url), await hiddenFlag()]).toEqual([[], []])
    // A project keeps its key while it has flags.
    expect(await done('PATCH', project.path, { key: `free-${made.id}` })).toMatchObject({ key: `free-${made.id}` })
  })
})

describe('a hidden flag', () => {
  test('is in no list and behind no address of flags', async () => {
    await launch(await create())
    const [flag] = await hiddenFlag()
    const { id, key } = flag!
    const production = project.production.id
    const lists: [string, (data: never) => unknown][] = [
      ['/flags', (data) => data],
      ['/index', ({ flags }: { flags: unknown[] }) => flags],
      ['/openfeature/v0/manifest', ({ flags }: { flags: unknown[] }) => flags],
      ['/schedules', (data) => data],
    ]
    for (const [path, flagsIn] of lists) {
      const { body } = await call('GET', `${project.path}${path}`)
      expect([path, flagsIn((body.data ?? body) as never)]).toEqual([path, []])
    }
    const asked = await call('POST', '/api/v1/names', { ids: [id] })
    expect(asked.body.data).toEqual([{ id, visible: false }])
    for (const name of [id, key, '1']) {
      const path = `${project.path}/flags/${name}`
      const inEnvironment = `${path}/envs/${production}`
      const addresses: [Method, string, unknown?][] = [
        ['GET', path],
        ['PATCH', path, { name: 'Mine' }],
        ['DELETE', path],
        ['POST', `${path}/archive`],
        ['PUT', `${path}/variations`, { variations: [] }],
        ['GET', inEnvironment],
        ['POST', `${inEnvironment}/pause`],
        ['POST', `${inEnvironment}/run`],
        ['PUT', `${inEnvironment}/draft`, {}],
        ['GET', `${inEnvironment}/rules`],
        ['POST', `${inEnvironment}/rules/1/pause`],
        ['GET', `${path}/rules/1/results`],
        ['PUT', `${inEnvironment}/schedule`, {}],
      ]
      for (const [method, address, body] of addresses)
        expect([method, address, (await call(method, address, body)).status]).toEqual([method, address, 404])
    }
    const refused: [Method, string, unknown?][] = [
      ['GET', `${environment()}/staged?flagId=${id}`],
      ['GET', `${environment()}/revisions?flagId=${id}`],
      ['POST', `${environment()}/publish`, { flagIds: [id] }],
      ['POST', `${environment()}/staged/discard`, { flagId: id, paths: ['x'] }],
      ['POST', `${environment()}/revisions/1/restore`, { flagIds: [id] }],
    ]
    for (const [method, address, body] of refused)
      expect([address, (await call(method, address, body)).status]).toEqual([address, 400])
    expect(await served()).toEqual(['x1'])
  })

  test('has an id that no answer tells, also once the experiment is deleted', async () => {
    const made = await create()
    await launch(made)
    await edit(made, { trafficAllocation: 5000 })
    const [flag] = await hiddenFlag()
    const context = { targetingKey: 'u-1' }
    const named = { flagId: null, experimentId: made.id }
    const visitors = 'GENERATE'
    const pathOf = ({ id }: { id: string }) => `${url}/${id}`
    const asked: [Method, string, object | undefined, (data: never) => object][] = [
      ['GET', pathOf(made), undefined, ({ flagId }: { flagId: null }) => [{ ...named, flagId }]],
      ['GET', `${pathOf(made)}/results`, undefined, (data) => [data]],
      ['POST', `${pathOf(made)}/results/refresh`, undefined, (data) => [data]],
      ['POST', `${environment()}/staged/preview`, { visitors }, ({ flags }: { flags: object }) => flags],
      [
        'POST',
        `${environment()}/publish`,
        { dryRun: true, visitors },
        ({ preview }: { preview: { flags: object } }) => preview.flags,
      ],
      ['POST', `${environment()}/evaluate`, { context }, ({ flags }: { flags: object }) => flags],
      ['POST', `${environment()}/evaluate`, { context, draft: true }, ({ flags }: { flags: object }) => flags],
    ]
    for (const [method, path, body, namedIn] of asked) {
      const data = await done(method, path, body)
      expect([path, JSON.stringify(data).includes(flag!.id), namedIn(data as never)]).toMatchObject([
        path,
        false,
        [named],
      ])
    }
    await move(made, 'complete')
    await move(made, 'archive')
    await done('DELETE', pathOf(made))
    const explained = await done('POST', `${environment()}/evaluate`, { context, revision: 1 })
    expect(explained.flags).toMatchObject([{ flagId: null, experimentId: null, flagKey: 'x1' }])
    expect(JSON.stringify(await done('GET', `${environment()}/revisions/1`))).not.toContain(flag!.id)
  })

  test('has no event and no audit entry: the experiment has them', async () => {
    const made = await create()
    await edit(made, { variations: ['original', 'price'].map((key) => ({ key, weight: 5000 })) })
    await launch(made)
    await edit(made, { trafficAllocation: 5000 })
    await move(made, 'publish')
    await move(made, 'pause')
    await move(made, 'resume')
    await move(made, 'complete')
    await move(made, 'archive')
    await done('DELETE', `${url}/${made.id}`)
    expect((await events()).filter((name) => !name.startsWith('project.'))).toEqual([
      'experiment.created',
      'experiment.updated',
      'experiment.updated',
      'experiment.visual_changes.saved',
      'experiment.launched',
      'experiment.updated',
      'experiment.changes_published',
      'experiment.paused',
      'experiment.resumed',
      'experiment.completed',
      'experiment.archived',
      'experiment.deleted',
    ])
    const { rows } = await sql<{ action: string; object_type: string }>`
      select action, object_type from audit_entries where project_id = ${project.id} order by seq`.execute(service.db)
    expect(rows.map(({ action }) => action)).toEqual([
      'project.create',
      'experiment.create',
      'experiment.update',
      'experiment.update',
      'experiment.save_changes',
      'experiment.launch',
      'experiment.update',
      'environment.publish',
      'experiment.pause',
      'experiment.resume',
      'experiment.complete',
      'experiment.archive',
      'experiment.delete',
    ])
  })

  test('two creations and two launches at once make two experiments, each served once', async () => {
    const made = await Promise.all([create({ name: 'One' }), create({ name: 'Two' })])
    expect(made.map(({ shortId }) => shortId).sort()).toEqual([1, 2])
    for (const { id } of made) await design(service, `${url}/${id}`)
    await Promise.all(made.flatMap((each) => [move(each, 'launch'), move(each, 'launch')]))
    expect((await served()).sort()).toEqual(['x1', 'x2'])
    expect((await file()).revision).toBe(2)
  })

  test('an edited audience of a web experiment is published with an event about the audience', async () => {
    const conditions = { attribute: 'country', operator: 'equals', value: 'NL' }
    const audience = await done('POST', `${project.path}/audiences`, { name: 'Dutch', conditions })
    const made = await create({ audienceIds: [audience.id] })
    await launch(made)
    await done('PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { ...conditions, value: 'BE' } })
    expect(await done('POST', `${environment()}/publish`)).toMatchObject({ changed: true, revision: 2 })
    const names = await events()
    expect([names.at(-1), names.some((name) => name.startsWith('flag.'))]).toEqual(['audience.updated', false])
    const used = await done('GET', `${project.path}/audiences/${audience.id}`)
    expect(used.usedBy).toEqual([{ type: 'experiment', id: made.id, envId: project.production.id }])
  })
})

test('writes need experiments:write alone, where FEATURE also needs flags:write', async () => {
  const only = await newServiceToken(service, ['experiments:write'])
  const made = await service.call(only, 'POST', url, { name: 'Web' })
  expect(made.status).toBe(201)
  await design(service, `${url}/${made.body.data.id}`)
  expect((await service.call(only, 'POST', `${url}/${made.body.data.id}/launch`)).status).toBe(200)
  const flags = await createProject(service)
  const refused = await service.call(only, 'POST', `${flags.path}/experiments`, { name: 'On a flag' })
  expect([refused.status, refused.body.error.details]).toEqual([403, { scope: 'flags:write' }])
  const withoutExperiments = await newServiceToken(service, ['flags:write'])
  const discarded = await service.call(withoutExperiments, 'POST', `${environment()}/staged/discard`, {})
  expect([discarded.status, discarded.body.error.details]).toEqual([403, { scope: 'experiments:write' }])
})
