import { compile } from '@svc/core'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  nobody,
  publish,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService, type TestProject } from '../../../../testing/service.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { previewPublish } from './index.ts'

const service = await startTestService({ now: () => new Date('2026-11-20T10:00:00Z') })
afterAll(() => service.close())

let project: TestProject
let url: string
let flag: TestFlag
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/environments/${project.production.id}`
  flag = await running('checkout')
})

async function running(key: string): Promise<TestFlag> {
  const made = await newFlag(service, project, { key })
  await succeed(service, 'POST', `${made.production}/run`)
  return made
}
const preview = (body: object) => succeed(service, 'POST', `${url}/staged/preview`, body)
const country = (...value: string[]) => ({ attribute: 'country', operator: 'in', value })

test('a preview counts the visitors whose variation changes, and repeats exactly', async () => {
  const rule = await addRule(service, flag.production, delivery('Benelux', { conditions: country('NL', 'BE') }))
  const generated = await preview({ visitors: 'GENERATE' })
  expect(generated).toMatchObject({ visitors: 1000, flags: [{ flagId: flag.id, key: 'checkout' }] })
  const [{ changed, moves }] = generated.flags
  expect(changed).toBeGreaterThanOrEqual(500)
  expect(changed).toBeLessThan(1000)
  expect(generated.changed).toBe(changed)
  const examples = [expect.any(String), expect.any(String), expect.any(String)]
  expect(moves).toEqual([{ from: 'off', to: 'on', visitors: changed, ruleId: rule.id, examples }])
  expect(await preview({ visitors: 'GENERATE' })).toEqual(generated)
  const dryRun = await succeed(service, 'POST', `${url}/publish`, { dryRun: true, visitors: 'GENERATE' })
  expect(dryRun).toMatchObject({ changed: true, publishedBy: null, preview: generated })
  expect(await succeed(service, 'POST', `${url}/publish`, { dryRun: true })).not.toHaveProperty('preview')
  expect(await dataFile(service, project.production.sdkKey)).toMatchObject({ revision: dryRun.revision })
})

test('a preview for given visitors says what SDKs serve before and after the publish', async () => {
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  const members = Array.from({ length: 40 }, (_, index) => `u-${index * 7}`)
  await succeed(service, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: members })
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'Benelux',
    conditions: country('NL', 'BE'),
  })
  const other = await running('search')
  await addRule(service, other.production, delivery('In Benelux', { conditions: { audience: audience.id } }))
  const rule = await addRule(service, flag.production, abTest('Test', { trafficAllocation: 5000 }))
  await publish(service, project)

  await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions: country('NL', 'LU') })
  await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { trafficAllocation: 9000 })
  await addRule(service, flag.production, delivery('Testers', { conditions: { segment: segment.id }, position: 0 }))
  await succeed(service, 'PUT', `${flag.production}/overrides`, {
    environmentAllowlist: [{ variationKey: 'on', userIds: ['u-1'] }],
    ruleAllowlists: [],
  })
  const visitors = Array.from({ length: 300 }, (_, index) => ({
    targetingKey: `u-${index}`,
    country: ['NL', 'BE', 'LU', 'DE'][index % 4],
  }))
  const shown = await preview({ visitors })
  const chosen = await preview({ visitors, flagIds: [flag.id] })
  const before = compile(await dataFile(service, project.production.sdkKey))
  await publish(service, project)
  const after = compile(await dataFile(service, project.production.sdkKey))
  const differing = (...keys: string[]) =>
    visitors.filter((visitor) =>
      keys.some((key) => before.evaluate(key, visitor).variationKey !== after.evaluate(key, visitor).variationKey),
    ).length
  expect(differing('search')).toBe(150)
  expect(differing('checkout')).toBeGreaterThan(40)
  expect(shown).toMatchObject({ visitors: 300, changed: differing('checkout', 'search') })
  expect(shown.flags.map((each: { key: string; changed: number }) => [each.key, each.changed])).toEqual([
    ['checkout', differing('checkout')],
    ['search', 150],
  ])
  // A publish of chosen flags leaves edited audiences as they are.
  expect(chosen).toMatchObject({ changed: differing('checkout'), flags: [{ key: 'checkout' }] })
  expect(chosen.flags).toHaveLength(1)
})

test('generated visitors reveal no member of a segment', async () => {
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  await succeed(service, 'PUT', `${project.path}/segments/${segment.id}/members`, { ids: ['ada@example.com'] })
  await addRule(service, flag.production, delivery('Testers', { conditions: { segment: segment.id } }))
  const shown = await preview({ visitors: 'GENERATE' })
  expect(shown.changed).toBeGreaterThanOrEqual(500)
  expect(JSON.stringify(shown)).not.toContain('ada@')
})

test('a preview of nothing changes nobody', async () => {
  expect(await preview({ visitors: 'GENERATE' })).toEqual({ visitors: 1000, changed: 0, flags: [] })
})

test('a dry run stores nothing about its visitors', async () => {
  await addRule(service, flag.production, delivery('All'))
  const body = { dryRun: true, visitors: [{ targetingKey: 'grace-hopper' }] }
  const written = async () => {
    const { rows } = await sql<{ entries: number; events: number }>`
      select (select count(*)::integer from audit_entries) as entries, (select count(*)::integer from events) as events
    `.execute(service.db)
    return rows
  }
  const before = await written()
  const answer = await service.call(service.people.admin, 'POST', `${url}/publish`, body, { 'idempotency-key': 'dry' })
  expect(answer.body.data.preview).toMatchObject({ changed: 1, flags: [{ moves: [{ examples: ['grace-hopper'] }] }] })
  expect(await written()).toEqual(before)
  const { rows } = await sql<{ text: string }>`select keys::text as text from idempotency_keys keys`.execute(service.db)
  expect(rows).not.toEqual([])
  for (const { text } of rows) expect(text).not.toContain('grace')
})

test('10,000 visitors fit, and more are refused', async () => {
  await addRule(service, flag.production, delivery('All', { conditions: country('NL') }))
  const visitors = Array.from({ length: 10_000 }, (_, index) => ({
    targetingKey: `visitor-${index}`,
    country: index % 2 === 0 ? 'NL' : 'DE',
    plan: 'a plan with a long name, so that the body is larger than 1 MiB',
  }))
  expect(await preview({ visitors })).toMatchObject({ visitors: 10_000, changed: 5_000 })
  const refused = async (body: object) => {
    const { status, body: answer } = await service.call(service.people.admin, 'POST', `${url}/publish`, body)
    return [status, answer.error.code, answer.error.message]
  }
  const more = [...visitors, { targetingKey: 'one more' }]
  expect(await refused({ dryRun: true, visitors: more })).toEqual([
    400,
    'validation_failed',
    expect.stringContaining('visitors'),
  ])
  const large = visitors.map((visitor) => ({ ...visitor, plan: 'x'.repeat(900) }))
  expect(await refused({ dryRun: true, visitors: large })).toEqual([
    413,
    'payload_too_large',
    'The body is larger than 8 MiB.',
  ])
})

test.each([
  ['visitors without dryRun', 'publish', { visitors: 'GENERATE' }, ['visitors']],
  ['no visitors', 'staged/preview', {}, ['visitors']],
  ['an empty list', 'staged/preview', { visitors: [] }, ['visitors']],
  ['another word', 'staged/preview', { visitors: 'ALL' }, ['visitors']],
  ['a visitor without a targeting key', 'staged/preview', { visitors: [{ a: 1 }] }, ['visitors', 0, 'targetingKey']],
  ['a flag that does not exist', 'staged/preview', { visitors: 'GENERATE', flagIds: [nobody] }, ['flagIds']],
  ['a key that does not exist', 'staged/preview', { visitors: 'GENERATE', flagIds: ['no-flag'] }, ['flagIds']],
])('a preview with %s is refused and names the field', async (_what, path, body, field) => {
  const { status, body: answer } = await service.call(service.people.admin, 'POST', `${url}/${path}`, body)
  expect([status, answer.error?.details.issues[0].path]).toEqual([400, field])
})

test('a body with many faults is told the first hundred, and how many there are', async () => {
  const visitors = Array.from({ length: 9_000 }, (_, index) => ({ id: `u-${index}` }))
  const { status, body } = await service.call(service.people.admin, 'POST', `${url}/staged/preview`, { visitors })
  expect([status, body.error.message]).toEqual([400, 'visitors[0].targetingKey is required. (and 8999 more)'])
  expect(body.error.details.issues).toHaveLength(100)
})

test('a crowd of previews of a project is refused, and another project does not wait for it', async () => {
  const request = { projectId: project.id, envId: project.production.id, flagIds: null, visitors: 'GENERATE' as const }
  const asked = { ...request, now: new Date(), gone: new AbortController().signal }
  const crowd = Array.from({ length: 20 }, () => previewPublish(service.db, asked))
  const other = await previewPublish(service.db, { ...asked, projectId: 'another' })
  expect(other).toMatchObject({ visitors: 1_000 })
  const answers = await Promise.all(crowd)
  // One runs and ten wait.
  const refused = answers.filter(isRefusal)
  expect(refused.length).toBeGreaterThanOrEqual(9)
  expect(refused[0]).toMatchObject({ refusal: 'unavailable' })
  expect(answers.filter((each) => !isRefusal(each))).toContainEqual(other)
})

test('a preview requires flags:read, a dry run projects:write, and other organizations get 404', async () => {
  const { people } = service
  const status = async (who: string | null, path: string, body: object) =>
    (await service.call(who, 'POST', `${url}/${path}`, body)).status
  const all = { visitors: 'GENERATE' }
  expect(await status(people.viewer, 'staged/preview', all)).toBe(200)
  expect(await status(people.projectsRead, 'staged/preview', all)).toBe(403)
  expect(await status(people.stranger, 'staged/preview', all)).toBe(404)
  expect(await status(null, 'staged/preview', all)).toBe(401)
  expect(await status(people.viewer, 'publish', { dryRun: true, ...all })).toBe(403)
})
