import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject } from '../../../../../testing/service.ts'

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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
const call = (method: Method, path: string, body?: unknown) => service.call(service.people.admin, method, path, body)
const done = (method: Method, path: string, body?: unknown) => succeed(service, method, path, body)
const codesOf = (found: { code: string }[]) =>
  found.map(({ code }) => code).filter((code) => code !== 'NO_PRIMARY_METRIC')
const codes = async (path: string, body?: object) => codesOf((await done('POST', path, body)).warnings)

const pricing = {
  ...{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' },
  conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
}
const evenly = (redirect?: string) => [
  { key: 'original', weight: 5000 },
  { key: 'price', weight: 5000, ...(redirect && { redirect: { url: redirect } }) },
]

async function drafted({ selector = 'h1', redirect, ...more }: { selector?: string; redirect?: string } & object = {}) {
  const body = { name: 'Price in the headline', pages: [pricing], variations: evenly(redirect), ...more }
  const one = `${url}/${(await done('POST', url, body)).id}`
  const changes = [{ id: 'c1', type: 'TEXT', selector, value: 'From € 9' }]
  if (!redirect) await done('PUT', `${one}/variations/price/changes`, { changes })
  return one
}

async function seen(host: string) {
  const beat = { sdkKey: project.production.sdkKey, sdkType: 'web', sdkVersion: '1.0.0', instanceId: `web:${host}` }
  expect((await service.call(null, 'POST', '/api/sdk/heartbeat', beat)).status).toBe(200)
}

describe('the launch of a web experiment', () => {
  test('warns until the script was seen on the host of a page, and again a day later', async () => {
    const one = await drafted()
    const dryRun = () => codes(`${one}/launch`, { dryRun: true })
    expect(await dryRun()).toEqual(['SCRIPT_NOT_SEEN'])
    await seen('other.example')
    expect(await dryRun()).toEqual(['SCRIPT_NOT_SEEN'])
    await seen('shop.example')
    expect(await dryRun()).toEqual([])
    moment += 86_400_001
    expect(await codes(`${one}/launch`)).toEqual(['SCRIPT_NOT_SEEN'])
    await done('POST', `${one}/pause`)
    expect(await codes(`${one}/resume`)).toEqual(['SCRIPT_NOT_SEEN'])
  })

  test('warns of running experiments with the same element and the same visitors', async () => {
    await seen('shop.example')
    const group = await done('POST', `${project.path}/exclusion-groups`, { name: 'Pricing' })
    await done('POST', `${await drafted()}/launch`)
    await done('POST', `${await drafted({ selector: '.hero' })}/launch`)
    await drafted()
    const share = { exclusionGroupId: group.id, trafficAllocation: 5000 }
    const inGroup = await drafted(share)
    expect(await codes(`${inGroup}/launch`)).toEqual(['SELECTOR_OVERLAP'])
    expect(await codes(`${await drafted({ selector: '.footer' })}/launch`)).toEqual([])
    const { warnings } = await done('POST', `${await drafted(share)}/launch`, { dryRun: true })
    // Only the one outside of the group shares visitors.
    expect(codesOf(warnings)).toEqual(['SELECTOR_OVERLAP'])
    expect(warnings.at(-1).message).toContain('x1 (Price in the headline) also changes h1')
  })

  test('warns of a rolled-out winner with the same element until it is archived', async () => {
    await seen('shop.example')
    const [first, second] = [await drafted(), await drafted({ selector: '.hero' })]
    for (const one of [first, second]) await done('POST', `${one}/launch`)
    await done('POST', `${first}/winner`, { variationKey: 'price', rollOut: true })
    // Visitors get the original, which changes nothing.
    await done('POST', `${second}/winner`, { variationKey: 'original', rollOut: true })
    expect(await codes(`${await drafted({ selector: '.hero' })}/launch`, { dryRun: true })).toEqual([])
    const one = await drafted()
    const { warnings } = await done('POST', `${one}/launch`, { dryRun: true })
    expect(codesOf(warnings)).toEqual(['SELECTOR_OVERLAP'])
    expect(warnings.at(-1).message).toContain('The rolled-out winner of the experiment x1')
    await done('POST', `${first}/archive`)
    expect(await codes(`${one}/launch`, { dryRun: true })).toEqual([])
  })

  test('refuses a redirect to a host that the project does not have, wherever it would begin to be served', async () => {
    await seen('shop.example')
    const one = await drafted({ redirect: 'https://shop.example/pricing-b' })
    const refused = async (path: string, body?: object) => {
      const answer = await call('POST', path, body)
      expect(answer.status).toBe(409)
      return codesOf(answer.body.error.details.missing)
    }
    expect(await codes(`${one}/launch`, { dryRun: true })).toContain('HOST_NOT_ALLOWED')
    expect(await refused(`${one}/launch`)).toContain('HOST_NOT_ALLOWED')
    await done('PUT', `${project.path}/web-settings`, { hosts: ['shop.example'] })
    expect(await codes(`${one}/launch`, { dryRun: true })).not.toContain('HOST_NOT_ALLOWED')
    const other = await drafted()
    await done('POST', `${other}/launch`)
    await done('PUT', `${other}/variations/price/changes`, { changes: [] })
    await done('PATCH', other, { variations: evenly('https://elsewhere.example/') })
    expect(await codes(`${other}/publish`, { dryRun: true })).toEqual(
      expect.arrayContaining(['HOST_NOT_ALLOWED', 'REDIRECT_LEAVES_SITE']),
    )
    expect(await refused(`${other}/publish`)).toContain('HOST_NOT_ALLOWED')
    const environment = `${project.path}/environments/${project.production.id}`
    expect(await refused(`${environment}/publish`)).toContain('HOST_NOT_ALLOWED')
  })

  test('shows a redirect to such a host only where it would begin to be served', async () => {
    await seen('shop.example')
    await done('PUT', `${project.path}/web-settings`, { hosts: ['shop.example'] })
    const one = await drafted({ redirect: 'https://shop.example/pricing-b' })
    await done('POST', `${one}/launch`)
    // As an earlier version could serve it.
    await sql`update projects set web = web || '{"hosts": []}' where id = ${project.id}`.execute(service.db)
    const dryRun = { dryRun: true }
    const winner = (variationKey: string) => codes(`${one}/winner`, { variationKey, rollOut: true, ...dryRun })
    await done('PATCH', one, { trafficAllocation: 5000 })
    expect(await codes(`${one}/publish`, dryRun)).not.toContain('HOST_NOT_ALLOWED')
    expect(await winner('price')).toEqual([])
    await done('POST', `${one}/pause`)
    expect(await codes(`${one}/resume`, dryRun)).toContain('HOST_NOT_ALLOWED')
    expect(await winner('price')).toEqual(['HOST_NOT_ALLOWED'])
    expect(await winner('original')).toEqual([])
  })
})

describe('the script in the answers of an experiment', () => {
  const script = async () => {
    const { headers, text } = await service.call(null, 'GET', `/sdk/v1/web/${project.production.sdkKey}.js`)
    return { bytes: Buffer.byteLength(text), etag: headers.etag }
  }

  test('is the one that pages load after the call', async () => {
    const one = await drafted()
    const before = await script()
    expect((await done('POST', `${one}/launch`, { dryRun: true })).script).toEqual(before)
    const launched = (await done('POST', `${one}/launch`)).script
    expect(launched).not.toEqual(before)
    expect(await script()).toEqual(launched)
    expect((await done('POST', `${one}/launch`)).script).toEqual(launched)
    const changes = [{ id: 'c1', type: 'TEXT', selector: 'h1', value: 'From € 8' }]
    await done('PUT', `${one}/variations/price/changes`, { changes })
    const published = (await done('POST', `${one}/publish`)).script
    expect(await script()).toEqual(published)
    const told = (await done('GET', `${project.path}/events?limit=100`)).at(-1)
    expect([told.event, told.script]).toEqual(['experiment.changes_published', published])
    const rolledOut = (await done('POST', `${one}/winner`, { variationKey: 'price', rollOut: true })).script
    expect(await script()).toEqual(rolledOut)
    for (const verb of ['archive', 'unarchive']) {
      const moved = (await done('POST', `${one}/${verb}`)).script
      expect(await script()).toEqual(moved)
    }
  })

  test('is known before the commit of a call with an idempotency key', async () => {
    const one = await drafted()
    const headers = { 'idempotency-key': 'launch-1' }
    const { body } = await service.call(service.people.admin, 'POST', `${one}/launch`, undefined, headers)
    expect(await script()).toEqual(body.data.script)
  })
})

test('an environment serves at most 100 web experiments, however many are launched at once', async () => {
  const [first, ...others] = [await drafted(), await drafted(), await drafted()]
  await done('POST', `${first}/launch`)
  const { rows } = await sql<{
    id: string
  }>`select id from flags where project_id = ${project.id} and key = 'x1'`.execute(service.db)
  // As if 98 more were served.
  await sql`
    with copies as (
      insert into flags (id, project_id, short_id, key, name, type, kind, variations, default_variation_id, tags,
        created_at, updated_at)
      select gen_random_uuid(), project_id, 1000 + nth, 'x' || 1000 + nth, name, type, kind, variations,
        default_variation_id, tags, created_at, updated_at
      from flags, generate_series(1, 98) nth where id = ${rows[0]!.id} returning id, key
    ), placed as (
      insert into flag_environments (flag_id, env_id, enabled, draft, live, published, fragment, served_references)
      select copies.id, env_id, enabled, draft, live, published, null, jsonb_build_array(copies.id)
      from flag_environments fe, copies where fe.flag_id = ${rows[0]!.id}
    )
    insert into data_file_parts (env_id, section, id, part)
    select env_id, section, copies.id, replace(part, '"x1":', '"' || copies.key || '":')
    from data_file_parts part, copies where part.id = ${rows[0]!.id}`.execute(service.db)
  const answers = await Promise.all(others.map((one) => call('POST', `${one}/launch`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)!.body.error.details).toEqual({ experiments: 101, limit: 100 })
})
