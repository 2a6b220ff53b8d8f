import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { untilBlocked } from '../../../../testing/blocked.ts'
import { succeed } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { auditOf } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestProject } from '../../../../testing/service.ts'
import { design } from '../../../../testing/web-experiments.ts'

const service = await startTestService()
let project: TestProject
let url: string

afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service, service.people.admin, 'WEB')
  url = `${project.path}/metrics`
})

const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(service.people.admin, method, path, body, headers)
const done = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: unknown) =>
  succeed(service, method, path, body)
const click = { on: 'CLICK', selector: 'a.cta', conditions: null }
const conditions = { attribute: 'page.path', operator: 'equals', value: '/thanks' }
const created = (key: string, more: Record<string, unknown> = {}) => done('POST', url, proportion(key, more))
const issuesOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
  body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'))
/** An experiment on every page that measures these. */
async function experiment(metrics: object): Promise<string> {
  const { id } = await done('POST', `${project.path}/experiments`, { name: crypto.randomUUID(), metrics })
  await design(service, `${project.path}/experiments/${id}`)
  return `${project.path}/experiments/${id}`
}
const webDocument = async () =>
  (await service.call(null, 'GET', `/api/sdk/v1/web/${project.production.sdkKey}.json`)).body
const goals = async () => (await webDocument()).goals.map(({ eventKey }: { eventKey: string }) => eventKey)
const script = async () => (await service.call(null, 'GET', `/sdk/v1/web/${project.production.sdkKey}.js`)).text

describe('the trigger of a metric', () => {
  test('is created, read, changed and removed, and the log has it', async () => {
    expect(await created('cta', { trigger: { on: 'CLICK', selector: 'a.cta' } })).toMatchObject({ trigger: click })
    const view = { on: 'PAGE_VIEW', selector: null, conditions }
    expect(await done('PATCH', `${url}/cta`, { trigger: view })).toMatchObject({ trigger: view })
    expect(await done('PATCH', `${url}/cta`, { name: 'Views' })).toMatchObject({ trigger: view })
    expect(await done('PATCH', `${url}/cta`, { trigger: null })).toMatchObject({ trigger: null })
    expect(await done('GET', url)).toMatchObject([{ key: 'cta', trigger: null }])
    const [{ id }] = await done('GET', url)
    const states = (await auditOf(service, id)).map(({ after }) => (after as { trigger: unknown }).trigger)
    expect(states).toEqual([click, view, view, null])
  })

  test.each<[string, object, string[]]>([
    ['a selector that browsers do not know', { ...click, selector: 'a:unknown' }, ['trigger.selector']],
    ['no selector', { on: 'SEEN' }, ['trigger.selector']],
    [
      'another attribute',
      { ...click, conditions: { ...conditions, attribute: 'page.x' } },
      ['trigger.conditions.attribute'],
    ],
  ])('with %s is refused with its path', async (_what, trigger, paths) => {
    const refused = await call('POST', url, proportion('cta', { trigger }))
    expect([refused.status, issuesOf(refused)]).toEqual([400, paths])
  })

  test('is refused in a project of flags, which has no script', async () => {
    const flags = await createProject(service)
    const refused = await call('POST', `${flags.path}/metrics`, proportion('cta', { trigger: click }))
    expect([refused.status, issuesOf(refused)]).toEqual([400, ['trigger']])
    await done('POST', `${flags.path}/metrics`, proportion('cta', { trigger: null }))
    expect(issuesOf(await call('PATCH', `${flags.path}/metrics/cta`, { trigger: click }))).toEqual(['trigger'])
  })

  test('is the only one of its event, also for two callers at once', async () => {
    await created('cta', { trigger: click })
    await created('same', { eventKey: 'cta' })
    const other = await call('POST', url, proportion('other', { eventKey: 'cta', trigger: { on: 'PAGE_VIEW' } }))
    expect([other.status, issuesOf(other)]).toEqual([409, ['trigger']])
    expect((await call('PATCH', `${url}/same`, { trigger: click })).status).toBe(409)
    await created('moving', { trigger: { on: 'PAGE_VIEW' } })
    expect((await call('PATCH', `${url}/moving`, { eventKey: 'cta' })).status).toBe(409)
    await done('PATCH', `${url}/cta`, { trigger: null })
    const both = await Promise.all(['cta', 'same'].map((key) => call('PATCH', `${url}/${key}`, { trigger: click })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('stays as it is while a test with it has started', async () => {
    await created('cta', { trigger: click })
    const one = await experiment({ primary: ['cta'] })
    await done('PATCH', `${url}/cta`, { trigger: { ...click, selector: '.buy' } })
    await done('POST', `${one}/launch`)
    expect((await webDocument()).goals).toMatchObject([{ selector: '.buy' }])
    const refused = await call('PATCH', `${url}/cta`, { trigger: null })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    await done('PATCH', `${url}/cta`, { name: 'Renamed', archived: true })
    expect(await goals()).toEqual(['cta'])
  })

  test('is served as it is when a launch and a change of it meet', async () => {
    await created('cta', { trigger: click })
    const one = await experiment({ primary: ['cta'] })
    let edit: ReturnType<typeof call> | undefined
    let launch: ReturnType<typeof call> | undefined
    await service.db.transaction().execute(async (tx) => {
      await sql`select from environments where id = ${project.production.id} for no key update`.execute(tx)
      edit = call('PATCH', `${url}/cta`, { trigger: { ...click, selector: '.buy' } })
      launch = call('POST', `${one}/launch`)
      await untilBlocked(service)
    })
    const [edited, launched] = await Promise.all([edit!, launch!])
    expect(launched.status).toBe(200)
    const { trigger } = await done('GET', `${url}/cta`)
    expect(trigger.selector).toBe(edited.status === 200 ? '.buy' : 'a.cta')
    expect((await webDocument()).goals).toMatchObject([{ selector: trigger.selector }])
  })
})

describe('the web document', () => {
  test('has the triggers of all metrics of what serves, each once and in order', async () => {
    for (const key of ['b', 'a', 'c', 'unused']) await created(key, { trigger: click })
    await created('plain')
    const one = await experiment({ primary: ['plain', 'b'], secondary: ['a'] })
    const other = await experiment({ primary: ['b'], guardrails: ['c'] })
    expect(await goals()).toEqual([])
    expect(await script()).not.toContain('composedPath')
    await done('POST', `${one}/launch`)
    await done('POST', `${other}/launch`)
    expect((await webDocument()).goals).toEqual(
      ['a', 'b', 'c'].map((eventKey) => ({ eventKey, on: 'CLICK', selector: 'a.cta', when: null })),
    )
    expect(await script()).toContain('composedPath')
    await done('POST', `${one}/pause`)
    expect(await goals()).toEqual(['b', 'c'])
    await done('POST', `${other}/winner`, { variationKey: 'variation-1', rollOut: true })
    expect([await goals(), (await webDocument()).experiments.length]).toEqual([[], 1])
  })

  test('follows a publish of other metrics and a restored revision', async () => {
    for (const key of ['a', 'b']) await created(key, { trigger: { on: 'PAGE_VIEW', conditions } })
    const one = await experiment({ primary: ['a'] })
    await done('POST', `${one}/launch`)
    const { revision } = await webDocument()
    await done('PATCH', one, { metrics: { primary: ['b'] } })
    expect(await goals()).toEqual(['a'])
    await done('POST', `${one}/publish`)
    expect([await goals(), (await webDocument()).revision]).toEqual([['b'], revision + 1])
    // No test has this metric any more, so it can be redefined: what was restored is served as the metric is now.
    await done('PATCH', `${url}/a`, { trigger: click })
    const environment = `${project.path}/environments/${project.production.id}`
    await done('POST', `${environment}/revisions/${revision}/restore`)
    expect(await goals()).toEqual(['b'])
    await done('POST', `${one}/publish`)
    expect((await webDocument()).goals).toEqual([{ eventKey: 'a', on: 'CLICK', selector: 'a.cta', when: null }])
  })
})

test('the key of an event has at most 100 characters, and a longer one from before stays', async () => {
  const long = 'x'.repeat(101)
  expect(issuesOf(await call('POST', url, proportion('cta', { eventKey: long })))).toEqual(['eventKey'])
  const ratio = { type: 'RATIO', denominator: { eventKey: long } }
  expect(issuesOf(await call('POST', url, proportion('cta', ratio)))).toEqual(['denominator.eventKey'])
  const { id } = await created('cta', { eventKey: long.slice(1) })
  await sql`update metrics set event_key = ${long} where id = ${id}`.execute(service.db)
  expect(await done('PATCH', `${url}/cta`, { direction: 'DECREASE' })).toMatchObject({ eventKey: long })
})
