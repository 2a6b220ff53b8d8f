import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../packages/cli/testing/run-svc.ts'
import { isFull } from '../packages/server/testing/full.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type OpenService, openService, root } from './service.ts'

const shop = '/api/v1/projects/web-shop'
let service: OpenService
let desk: Desk
let file: string

const svc = (args: string[], env: Record<string, string> = {}) => desk.svc(args, { env })
async function done(...args: string[]) {
  const { exitCode, stdout, stderr } = await svc(args)
  expect(exitCode, stderr).toBe(0)
  return { stdout, stderr }
}
const revisionOf = async (project: string) =>
  (await service.call('GET', `/api/v1/projects/${project}/environments/production`)).dataFile.revision
const entries = async () => (await service.call('GET', '/api/v1/audit?limit=100')).map(({ id }: { id: string }) => id)
const edit = async (change: (text: string) => string) => writeFile(file, change(await readFile(file, 'utf8')))

beforeAll(async () => {
  const reads = ['projects', 'flags', 'experiments', 'audiences', 'segments', 'metrics', 'webhooks', 'integrations']
  service = await openService(
    { SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1,localhost:2' },
    { admin: ['admin:*'], stager: [...reads.map((noun) => `${noun}:read`), 'flags:write'] },
  )
  desk = openDesk({ SVC_URL: service.url, SVC_TOKEN: service.token, SVC_PROJECT: 'web-shop' })
  file = join(desk.home, 'svc.yaml')
  const post = (path: string, body: unknown) => service.call('POST', `${shop}/${path}`, body)
  await service.call('POST', '/api/v1/projects', { name: 'Web shop', key: 'web-shop' })
  await post('metrics', { key: 'order_paid', name: 'Paid orders', type: 'PROPORTION', eventKey: 'order_paid' })
  await post('segments', { name: 'VIP customers', key: 'vip' })
  const conditions = { all: [{ attribute: 'plan', operator: 'equals', value: 'beta' }, { segment: 'vip' }] }
  await post('audiences', { name: 'Beta users', conditions })
  await post('exclusion-groups', { name: 'Checkout' })
  await post('holdouts', { name: 'Everybody else', key: 'rest', share: 500 })
  const variations = [
    { name: 'Control', key: 'control', value: '{"label":"Pay now","1":[null]}' },
    { name: 'Short', key: 'short', value: '{"label":"Buy"}' },
  ]
  const valueSchema = { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] }
  await post('flags', {
    name: 'Copy',
    key: 'copy',
    type: 'JSON',
    variations,
    valueSchema,
    defaultVariationKey: 'control',
  })
  const rules = 'flags/copy/envs/production/rules'
  await post(rules, { type: 'TARGETED_DELIVERY', name: 'Staff', variationKey: 'short', audienceIds: ['beta-users'] })
  const split = [
    { variationKey: 'control', weight: 3333 },
    { variationKey: 'short', weight: 6667 },
  ]
  const test = {
    type: 'AB_TEST',
    variations: split,
    baselineVariationKey: 'control',
    metrics: { primary: ['order_paid'] },
  }
  await post(rules, {
    ...test,
    name: 'Copy test',
    exclusionGroupId: 'checkout',
    holdoutId: 'rest',
    trafficAllocation: 4000,
  })
  await post('flags/copy/envs/production/run', {})
  await post('flags/copy/envs/development/rules/copy', { sourceEnvId: 'production' })
  const onOff = [
    { name: 'On', key: 'on', value: 'true' },
    { name: 'Off', key: 'off', value: 'false' },
  ]
  await post('flags', {
    name: 'Kill',
    key: 'kill',
    type: 'BOOLEAN',
    variations: onOff,
    defaultVariationKey: 'off',
    tags: ['b', 'a'],
  })
  for (const env of ['production', 'development']) await post(`environments/${env}/publish`, {})
  await post('experiments', {
    name: 'Owned',
    flagId: 'kill',
    envId: 'production',
    variations: [
      { key: 'on', weight: 5000 },
      { key: 'off', weight: 5000 },
    ],
    baselineVariationKey: 'off',
  })
})
afterAll(async () => {
  desk?.remove()
  await service?.stop()
})

it('an export has the same bytes each time, and gives an empty plan', async () => {
  const { stdout } = await done('export')
  expect((await done('export')).stdout).toBe(stdout)
  expect(stdout).toContain('key: owned\n            experiment: 1\n')
  expect(stdout).toContain('- attribute: plan\n          operator: equals\n          value: beta\n')
  expect(stdout).toContain('name: Production\n    color: "#2F9E44"\n    protected: true\n')
  expect(stdout.split('\n')[0]).toContain('/docs/config.schema.json')
  await writeFile(file, stdout)
  const before = await entries()
  expect((await done('plan', file, '--check')).stdout).toMatch(
    /No changes\. The project web-shop matches .*svc\.yaml\.\n$/,
  )
  expect((await done('apply', file, '--yes')).stdout).toContain('No changes.')
  expect(await entries()).toEqual(before)
  const piped = await desk.svc(['plan', '-'], { input: stdout })
  expect(piped.stdout).toMatch(/^No changes\. The project web-shop matches standard input\.$/m)
  for (const option of ['--live', '--overrides']) expect((await done('export', option)).stdout).toContain('version: 1')
})

it('an edit is planned and published in one revision, and the next plan is empty', async () => {
  const revision = await revisionOf('web-shop')
  await edit((text) =>
    text
      .replace('traffic: 40%', 'traffic: 60%')
      .replace('name: VIP customers', 'name: VIPs')
      .replace('tags:\n      - b\n      - a\n', 'tags:\n      - c\n'),
  )
  const { stdout, exitCode, stderr } = await svc(['plan', file, '--check'])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('differs')])
  expect(stdout).toContain('    rules.copy-test.traffic: 40% → 60%\n')
  expect(stdout).toContain('! publish production: copy\n')
  const refused = await svc(['apply', file])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const { stderr: steps } = await done('apply', file, '--yes', '--comment', 'More traffic')
  expect(steps.trim().split('\n')).toEqual(
    expect.arrayContaining([
      'Changed segment vip',
      'Changed flag kill',
      'Staged flag copy in production',
      'Published production',
    ]),
  )
  const after = await revisionOf('web-shop')
  // The tags of a flag are in no data file.
  expect(after).toBe(revision + 1)
  const [newest] = await service.call('GET', `${shop}/environments/production/revisions?limit=1`)
  expect(newest.comment).toBe('More traffic')
  const before = await entries()
  expect((await done('apply', file, '--yes')).stdout).toContain('No changes.')
  expect([await entries(), await revisionOf('web-shop')]).toEqual([before, after])
})

it('an export of staged changes gives an empty plan, and publishes nothing', async () => {
  const path = '/api/v1/projects/waiting'
  const plan = { attribute: 'plan', operator: 'equals', value: 'beta' }
  await service.call('POST', '/api/v1/projects', { name: 'Waiting', key: 'waiting' })
  await service.call('POST', `${path}/audiences`, { name: 'Beta', conditions: plan })
  await done('flag', 'create', 'one', '-p', 'waiting')
  const add = ['rule', 'add', 'one', '-p', 'waiting', '-e', 'production', '--variation', 'on']
  await done(...add, '--name', 'Beta', '--audience', 'beta')
  await service.call('POST', `${path}/flags/one/envs/production/run`)
  await service.call('POST', `${path}/environments/production/publish`, {})
  const revision = await revisionOf('waiting')
  await done(...add, '--name', 'Some', '--percent', '5')
  await service.call('PATCH', `${path}/audiences/beta`, { conditions: { ...plan, value: 'gold' } })
  const staged = join(desk.home, 'staged.yaml')
  await writeFile(staged, (await done('export', '-p', 'waiting')).stdout)
  const planned = await done('plan', staged, '--check', '-p', 'waiting')
  expect(planned.stdout.split('\n')).toEqual([
    '',
    'Drift',
    '! flag one in production: admin has already staged the content of the file: svc publish one --env production makes it live',
    '! audience beta in production: someone has already staged the content of the file: svc publish --env production makes it live',
    'No changes. 2 differences stay: see Drift.',
    '',
  ])
  expect((await done('apply', staged, '--yes', '-p', 'waiting')).stdout).toContain('No changes.')
  expect(await revisionOf('waiting')).toBe(revision)
})

it('a file says which project it is for, unless the command does', async () => {
  const at = { url: service.url, token: service.token }
  const elsewhere = openDesk({ SVC_URL: at.url, SVC_TOKEN: at.token })
  const plan = (...more: string[]) => elsewhere.svc(['plan', file, ...more])
  expect((await plan()).stdout).toContain('The project web-shop matches')
  await edit((text) => text.replace('key: web-shop', 'key: else'))
  expect(await plan()).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('not_found') })
  expect((await plan('-p', 'web-shop')).stdout).toContain(
    '! project else: the file is for this project, but the command names web-shop\n',
  )
  await edit((text) => text.replace('key: else', 'key: web-shop'))
  elsewhere.remove()
})

it('an interrupted run is completed by the next ones, in another project too', async () => {
  await service.call('POST', '/api/v1/projects', { name: 'Copy', key: 'copy-shop' })
  const copy = join(desk.home, 'copy.yaml')
  const text = (await readFile(file, 'utf8')).replace('key: web-shop', 'key: copy-shop')
  // The experiment stays in its project.
  await writeFile(copy, text.replace(/ {8}rules:\n {10}- key: owned\n {12}experiment: 1\n/, ''))
  const cutting = await cutAfterTwoWrites(service.url)
  const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
  let runs = 0
  for (let exitCode: number | null = 1; exitCode !== 0 && runs < 20; runs += 1) {
    const ran = await svc(['apply', copy, '--yes', '-p', 'copy-shop'], { SVC_URL: url })
    exitCode = ran.exitCode
    if (exitCode !== 0) expect(ran.stderr).toContain('Run the command again to continue.')
  }
  cutting.close()
  expect(runs).toBeGreaterThan(3)
  expect((await done('plan', copy, '--check', '-p', 'copy-shop')).stdout).toContain('No changes.')
  const { enabled } = await service.call('GET', '/api/v1/projects/copy-shop/flags/copy/envs/production')
  expect(enabled).toBe(true)
  const exported = (await done('export', '-p', 'copy-shop')).stdout
  const original = (await done('export')).stdout
  expect(exported.slice(exported.indexOf('flags:\n  copy:'), exported.indexOf('  kill:'))).toBe(
    original.slice(original.indexOf('flags:\n  copy:'), original.indexOf('  kill:')),
  )
})

/** Lets two writes of each run through, and loses the answer of the second. */
async function cutAfterTwoWrites(target: string): Promise<Server> {
  let writes = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isWrite = request.method !== 'GET'
    // Every run begins with reading the project.
    if (request.url === '/api/v1/projects/copy-shop') writes = 0
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const text = await answer.text()
    if (isWrite) writes += 1
    const isLost = isWrite && writes >= 2
    const etag = answer.headers.get('etag')
    response.writeHead(isLost ? 500 : answer.status, { 'content-type': 'application/json', ...(etag && { etag }) })
    response.end(isLost ? JSON.stringify({ error: { code: 'internal_error', message: 'Cut off.' } }) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Lets the first writes through late: they get no answer while the run goes on, and `release` sends them then. */
async function holdWrites(target: string, isHeld: (url: string) => boolean) {
  const held: (() => Promise<Response>)[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const forward = () =>
      fetch(`${target}${request.url}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
    if (request.method !== 'GET' && isHeld(request.url!)) {
      held.push(forward)
      response.destroy()
      return
    }
    const answer = await forward()
    const etag = answer.headers.get('etag')
    response.writeHead(answer.status, { 'content-type': 'application/json', ...(etag && { etag }) })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const release = () => Promise.all(held.map((forward) => forward()))
  return { server, release, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the key of a write', () => {
  let project = ''
  let count = 0
  let wanted: string
  const text = [
    'version: 1',
    'metrics:',
    '  paid: { name: Paid, type: PROPORTION, event: paid }',
    'flags:',
    '  one:',
    '    name: One',
    '    type: BOOLEAN',
    '    variations: { on: { name: On, value: true }, off: { name: Off, value: false } }',
    '    default: off',
    '    environments:',
    '      production: { enabled: true, default: off, rules: [{ key: all, name: All, variation: on }] }',
    '',
  ].join('\n')
  const apply = (env: Record<string, string> = {}) => svc(['apply', wanted, '--yes', '-p', project], env)
  const planned = async () => (await svc(['plan', wanted, '-p', project])).stdout
  beforeEach(async () => {
    count += 1
    project = `late-${count}`
    wanted = join(desk.home, `${project}.yaml`)
    await service.call('POST', '/api/v1/projects', { name: project, key: project })
    await writeFile(wanted, text)
  })

  // Metrics are created as flags are, and the draft of a flag has its ETag besides the key.
  const writes = isFull ? ['/metrics', '/flags', '/draft', '/publish', '/run'] : ['/flags', '/publish', '/run']
  it.each(writes)('makes nothing twice that arrives late: %s', async (end) => {
    const holding = await holdWrites(service.url, (url) => url.endsWith(end))
    const lost = await apply({ SVC_URL: holding.url })
    expect([lost.exitCode, lost.stderr]).toEqual([1, expect.stringContaining('Run the command again to continue.')])
    expect((await apply()).exitCode).toBe(0)
    const before = await entries()
    const answers = await holding.release()
    holding.server.close()
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([
        expect.toBeOneOf([200, 201]),
        'true',
      ])
    expect(await entries()).toEqual(before)
  })

  it('lets a file create deleted objects again, and move a switch again', async () => {
    const path = `/api/v1/projects/${project}`
    const rule = `${path}/flags/one/envs/production/rules/all`
    expect((await apply()).exitCode).toBe(0)
    await writeFile(wanted, text.replace('variation: on }', 'variation: on, enabled: false }'))
    for (let round = 0; round < (isFull ? 3 : 2); round += 1) {
      expect((await apply()).stderr).toContain('Paused rule one/all in production')
      expect((await service.call('GET', rule)).enabled).toBe(false)
      await service.call('POST', `${rule}/run`)
      await service.call('DELETE', `${path}/metrics/paid`)
    }
    expect((await apply()).exitCode).toBe(0)
    expect((await service.call('GET', `${path}/metrics/paid`)).name).toBe('Paid')
    expect(await planned()).toContain('No changes.')
  })
})

it('a plan says who would move, and stages nothing', async () => {
  const path = '/api/v1/projects/movers'
  await service.call('POST', '/api/v1/projects', { name: 'Movers', key: 'movers' })
  const wanted = join(desk.home, 'movers.yaml')
  const conditions = (country: string) => `{ attribute: country, operator: equals, value: ${country} }`
  const file = (country: string, audience: string, more = '') =>
    `version: 1
audiences:
  near: { name: Near, conditions: ${conditions(audience)} }${more}
flags:
${['one', 'two']
  .map(
    (key, at) => `  ${key}:
    name: ${key}
    type: BOOLEAN
    variations: { on: { name: On, value: true }, off: { name: Off, value: false } }
    default: off
    environments:
      production:
        enabled: true
        rules: [{ key: here, name: Here, variation: on, ${at === 0 ? `conditions: ${conditions(country)}` : `audiences: [${more === '' ? 'near' : 'far'}]`} }]
`,
  )
  .join('')}`
  await writeFile(wanted, file('NL', 'NL'))
  await done('apply', wanted, '--yes', '-p', 'movers')
  await writeFile(wanted, file('BE', 'FI'))
  const visitors = join(desk.home, 'visitors.json')
  const contexts = ['NL', 'BE', 'FI', 'DE'].map((country) => ({ targetingKey: `from-${country}`, country }))
  await writeFile(visitors, JSON.stringify(contexts))
  const before = await entries()
  const plan = ['plan', wanted, '-p', 'movers', '--visitors']
  const { stdout } = await done(...plan, visitors)
  expect(stdout).toContain(
    [
      'Visitors of production: 3 of 4 visitors would get a different value.',
      '  one: 1 from on to off, such as from-NL',
      '  one: 1 from off to on, such as from-BE',
      '  two: 1 from on to off, such as from-NL',
      '  two: 1 from off to on, such as from-FI',
      '',
      'Plan: 0 to create, 2 to change',
    ].join('\n'),
  )
  const { stdout: asJson } = await done(...plan, visitors, '--json')
  expect(JSON.parse(asJson).visitors).toMatchObject([{ env: 'production', preview: { changed: 3 }, notCounted: [] }])
  expect(await entries()).toEqual(before)
  expect((await service.call('GET', `${path}/environments/production/staged`)).flags).toEqual([])
  await done('apply', wanted, '--yes', '-p', 'movers')
  expect((await done(...plan, visitors)).stdout).toContain('No changes.')
  await writeFile(wanted, file('DE', 'FI', `\n  far: { name: Far, conditions: ${conditions('DE')} }`))
  const partly = (await done(...plan, visitors)).stdout
  expect(partly).toContain('  one: 1 from off to on, such as from-DE\n')
  expect(partly).toContain('! flag two is not counted: it names far, which the plan creates\n')
})

it('a flag that someone paused stays paused, and an archived flag of the file is a conflict', async () => {
  await service.call('POST', `${shop}/flags/copy/envs/production/pause`)
  const paused = await done('plan', file, '--check')
  expect(paused.stdout).toMatch(
    /^! flag copy in production: admin paused it at \d{4}-.*Z: add --resume to run it again$/m,
  )
  expect((await done('apply', file, '--yes')).stdout).toContain('No changes.')
  expect((await done('apply', file, '--yes', '--resume')).stderr).toContain('Ran flag copy in production')
  await service.call('POST', `${shop}/flags`, {
    ...{ name: 'Old', key: 'old', type: 'BOOLEAN', defaultVariationKey: 'off' },
    variations: [
      { name: 'On', key: 'on', value: 'true' },
      { name: 'Off', key: 'off', value: 'false' },
    ],
  })
  const archived = join(desk.home, 'archived.yaml')
  await writeFile(archived, (await done('export')).stdout.replace('name: VIPs', 'name: Others'))
  await service.call('POST', `${shop}/flags/old/archive`)
  const before = await entries()
  const refused = await svc(['apply', archived, '--yes'])
  expect([refused.exitCode, refused.stdout]).toEqual([5, expect.stringContaining('! flag old: it is archived')])
  const kept = join(desk.home, 'in-conflict.json')
  for (const more of [[], ['--check'], ['--out', kept]]) {
    const planned = await svc(['plan', archived, ...more])
    expect([planned.exitCode, planned.stdout, planned.stderr]).toEqual([
      5,
      expect.stringContaining('! flag old: it is archived'),
      expect.stringContaining('archived.yaml is in conflict with the project. svc apply would do nothing'),
    ])
  }
  expect(existsSync(kept)).toBe(false)
  const { conflicts } = JSON.parse((await svc(['plan', archived, '--json'])).stdout)
  expect(conflicts).toMatchObject([{ key: 'old' }])
  expect(await entries()).toEqual(before)
  await service.call('DELETE', `${shop}/flags/old`)
})

it('objects that the file does not mention are kept, and --prune deletes them', async () => {
  await edit((text) =>
    text.replace(/ {2}kill:\n(?: {4}.*\n)*/, '').replace(/segments:\n(?: {2}.*\n)*/, 'segments: {}\n'),
  )
  const { stdout } = await done('plan', file, '--check')
  expect(stdout).toContain('Not in the file\n  1 segment stays: vip\n  1 flag stays: kill\n')
  await service.call('DELETE', `${shop}/experiments/1`)
  const pruned = await svc(['apply', file, '--yes', '--prune'])
  // The audience names the segment.
  expect([pruned.exitCode, pruned.stderr]).toEqual([5, expect.stringContaining('Not done: delete segment vip')])
  const flags = await service.call('GET', `${shop}/flags`)
  expect(flags.map(({ key }: { key: string }) => key)).toEqual(['copy'])
})

it('the file and the workflow of the guide work as they are printed', async () => {
  const [example, workflow] = codeBlocks(await readFile(join(root, 'docs/configuration-as-code.md'), 'utf8')).filter(
    ({ language }) => language === 'yaml',
  )
  expect(workflow!.text).toBe(await readFile(join(root, 'examples/github-actions/flags.yml'), 'utf8'))
  const commands = [...workflow!.text.matchAll(/run: svc (\w+) svc\.yaml/g)].map(([, command]) => command)
  expect(commands).toEqual(['plan', 'plan', 'apply'])
  await service.call('POST', '/api/v1/projects', { name: 'Guide', key: 'guide' })
  await writeFile(file, example!.text)
  const { stderr } = await done('apply', file, '--yes', '-p', 'guide')
  expect(stderr).toContain('Published production\nRan flag checkout-copy in production\n')
  expect((await done('plan', file, '--check', '-p', 'guide')).stdout).toContain('No changes.')
})

/** A file for a project of its own, with two flags that an audience is in. */
const small = ({ first = 'off', plan = 'beta', isWhole = false } = {}) => `version: 1
${isWhole ? 'environments:\n  production: { name: Production, protected: true }\n  staging: { name: Staging EU }\n' : ''}audiences:
  beta: { name: Beta, conditions: { attribute: plan, operator: equals, value: ${plan} } }
flags:
${['first', 'second']
  .map(
    (key) => `  ${key}:
    name: ${key}
    type: BOOLEAN
    variations: { on: { name: On, value: true }, off: { name: Off, value: false } }
    default: off
    environments:
      production:
        enabled: true
        default: ${key === 'first' ? first : 'off'}
        rules: [{ key: beta, name: Beta, variation: on, audiences: [beta] }]
${key === 'first' && isWhole ? '      staging: { enabled: true, rules: [{ key: beta, name: Beta, variation: off, audiences: [beta] }] }\n' : ''}`,
  )
  .join(
    '',
  )}${isWhole ? 'webhooks:\n  log: { name: Log, url: "https://localhost:1/svc", events: [flag.published] }\n' : ''}`

describe('apply', () => {
  const path = '/api/v1/projects/small'
  const apply = (...args: string[]) => svc(['apply', file, '--yes', '-p', 'small', ...args])
  const asStager = (args: string[]) =>
    svc(args, { SVC_TOKEN: service.tokens.stager!, SVC_PROJECT: 'small', SVC_ENV: 'production' })
  const stage = async (flag: string) => {
    const { exitCode, stderr } = await asStager(['flag', 'set', flag, '--default', 'on'])
    expect(exitCode, stderr).toBe(0)
  }
  const staged = async () =>
    (await service.call('GET', `${path}/environments/production/staged`)).flags.map(({ key }: { key: string }) => key)
  const defaultOf = async (flag: string) =>
    (await service.call('GET', `${path}/flags/${flag}/envs/production`)).live.defaultVariationKey

  beforeAll(() => service.call('POST', '/api/v1/projects', { name: 'Small', key: 'small' }))

  it('makes destinations with secrets from the environment, and plans nothing afterwards', async () => {
    const withChat = (name: string) => `version: 1
destinations:
  releases:
    name: ${name}
    kind: SLACK
    events: [flag.published]
    environments: [production]
    secrets: { url: { env: RELEASES_URL } }
`
    const secret = 'https://localhost:1/services/T0/B0/firstSecretWxYz'
    const run = (command: string, url: string | undefined, ...more: string[]) =>
      svc([command, file, '-p', 'small', ...more], url === undefined ? {} : { RELEASES_URL: url })
    await writeFile(file, withChat('Releases'))
    const without = await run('plan', undefined)
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining('set the environment variable RELEASES_URL'),
    ])
    const made = await run('apply', secret, '--yes')
    expect([made.exitCode, made.stderr]).toEqual([0, 'Created destination releases\n'])
    const read = () => service.call('GET', `${path}/destinations/releases`)
    const production = await service.call('GET', `${path}/environments/production`)
    const kept = { name: 'Releases', config: { url: 'https://localhost:1/…WxYz' }, environmentIds: [production.id] }
    expect(await read()).toMatchObject(kept)
    for (const url of [secret, undefined]) expect((await run('plan', url)).stdout).toContain('No changes.')
    const moved = 'https://localhost:2/services/T0/B0/otherSecretAbCd'
    const planned = await run('plan', moved)
    expect(planned.stdout).toContain('…WxYz')
    expect(planned.stdout).toContain('…AbCd')
    await writeFile(file, withChat('Launches'))
    const changed = await run('apply', moved, '--yes')
    expect([changed.exitCode, changed.stderr]).toEqual([0, 'Changed destination releases\n'])
    expect(await read()).toMatchObject({ name: 'Launches', config: { url: 'https://localhost:2/…AbCd' } })
    const exported = await svc(['export', '-p', 'small'])
    expect(exported.stdout).toContain('env: DESTINATION_RELEASES_URL')
    expect([made, planned, changed, exported].map((each) => each.stdout + each.stderr).join('')).not.toContain('Secret')
    await service.call('DELETE', `${path}/destinations/releases`)
  })

  it('--stage stops before the publish, and --secrets-out keeps secrets of a new webhook and environment', async () => {
    await writeFile(file, small({ isWhole: true }))
    const secrets = join(desk.home, 'secrets.json')
    const { exitCode, stdout, stderr } = await apply('--stage', '--secrets-out', secrets)
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Staged flag second in production\n')])
    expect(stderr).not.toContain('Published')
    expect(await staged()).toEqual(['first', 'second'])
    const { webhooks, environments } = JSON.parse(await readFile(secrets, 'utf8'))
    expect([webhooks.log, (await stat(secrets)).mode & 0o777]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 0o600])
    expect(stdout + stderr).not.toContain(webhooks.log)
    const { sdkKey } = await service.call('GET', `${path}/environments/staging`)
    expect(environments).toEqual({ staging: sdkKey })
    expect((await apply('--secrets-out', secrets)).exitCode).toBe(2)
    expect((await apply()).stderr).toBe(
      'Published production\nPublished staging\nRan flag first in production\nRan flag first in staging\nRan flag second in production\n',
    )
    expect(await staged()).toEqual([])
  })

  it('a change staged by others is a conflict, or drift if the file agrees; --overwrite-staged ends it', async () => {
    await stage('first')
    await writeFile(file, small({ first: 'on' }))
    const agreed = await svc(['plan', file, '--check', '-p', 'small'])
    expect([agreed.exitCode, agreed.stdout]).toEqual([
      0,
      expect.stringContaining(
        '! flag first in production: stager has already staged the content of the file: svc publish first --env production makes it live\n',
      ),
    ])
    expect(agreed.stdout).toMatch(/\nNo changes. One difference stays: see Drift.\n$/)
    const drifted = await svc(['plan', file, '--drift', '-p', 'small'])
    expect([drifted.exitCode, drifted.stderr]).toEqual([
      1,
      expect.stringContaining('but svc apply does not change this: see Drift'),
    ])
    await writeFile(file, small().replace('key: beta, name: Beta', 'key: beta, name: Others'))
    const before = await entries()
    const refused = await apply()
    expect([refused.exitCode, refused.stdout]).toEqual([
      5,
      expect.stringMatching(
        /^! flag first in production: stager has staged defaultVariationKey at \d{4}-.*: publish or discard it, or add --overwrite-staged$/m,
      ),
    ])
    expect(await entries()).toEqual(before)
    expect((await apply('--overwrite-staged')).exitCode).toBe(0)
    expect([await staged(), await defaultOf('first')]).toEqual([[], 'off'])
  })

  it('an edited audience publishes changes that others have staged only with --publish-all', async () => {
    await stage('second')
    await writeFile(file, (await done('export', '-p', 'small', '--live')).stdout.replace('value: beta', 'value: pro'))
    const text = await readFile(file, 'utf8')
    // This test is not about the content of the flag in the file.
    await writeFile(file, text.replace(/ {2}second:\n(?: {4}.*\n)*/, ''))
    const refused = await apply()
    expect([refused.exitCode, refused.stdout]).toEqual([
      5,
      expect.stringMatching(/^! flag second in production: an edited audience publishes .*: add --publish-all$/m),
    ])
    expect((await apply('--publish-all')).exitCode).toBe(0)
    expect([await staged(), await defaultOf('second')]).toEqual([[], 'on'])
  })

  it('changes that someone stages while apply asks are not published, and an audience alone publishes', async () => {
    const conditions = '{ attribute: plan, operator: equals, value: top }'
    await writeFile(file, `version: 1\naudiences:\n  beta: { name: Beta, conditions: ${conditions} }\n`)
    const terminal = desk.terminal(['apply', file, '-p', 'small'])
    await terminal.sees('Apply this to small? [y/N]')
    await stage('first')
    terminal.type('y\r')
    const { exitCode, shown } = await terminal.ended
    expect([exitCode, shown]).toEqual([5, expect.stringContaining('Someone has staged flag first in production since')])
    expect(await staged()).toEqual(['first'])
    expect((await asStager(['staged', 'discard', 'first', '--yes'])).exitCode).toBe(0)
    expect((await apply()).stderr).toContain('Published production')
    expect((await svc(['plan', file, '--check', '-p', 'small'])).exitCode).toBe(0)
  })

  it('a token that cannot publish stages the file, and svc exits with 3', async () => {
    await writeFile(file, (await done('export', '-p', 'small')).stdout.replace('default: "on"', 'default: "off"'))
    const { exitCode, stderr } = await asStager(['apply', file, '--yes'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('Staged flag second in production\nNot done: publish production. Nothing was rolled back.')
    expect(stderr).toContain('svc: Could not publish production: ')
    expect(await staged()).toEqual(['second'])
    expect((await asStager(['staged', 'discard', 'second', '--yes'])).stderr).toBe(
      'Discarded 1 staged change of second in production. Nothing is left.\n',
    )
    expect(await staged()).toEqual([])
  })

  it('a refusal names the failed step, with the keys of the file', async () => {
    const rules = `      production: { rules: [{ key: a, name: A, variation: on }, { key: b, name: B, variation: on, audiences: [nobody] }] }`
    const variations = '{ on: { name: On, value: { a: 1 } }, off: { name: Off, value: { a: x } } }'
    const flag = (more: string) =>
      `version: 1\nflags:\n  third:\n    name: third\n    type: JSON\n    default: on\n    variations: ${variations}\n${more}`
    await writeFile(file, flag('    valueSchema: { type: object, properties: { a: { type: number } } }\n'))
    expect((await apply()).stderr).toContain(
      'svc: Could not create flag third: variations.off.value does not fit the schema of the flag at a: ',
    )
    await writeFile(file, flag(`    environments:\n${rules}\n`))
    expect((await apply()).stderr).toMatch(/svc: Could not stage flag third in production: .*rules\.b\.audienceIds/)
    await service.call('DELETE', `${path}/flags/third`)
  })

  it('a saved plan is applied exactly as it was shown, or refused', async () => {
    await writeFile(file, (await done('export', '-p', 'small')).stdout.replace('name: Beta', 'name: Testers'))
    await edit((text) => text.replace('default: "on"', 'default: "off"'))
    const kept = join(desk.home, 'plan.json')
    await done('plan', file, '--out', kept, '-p', 'small')
    expect((await svc(['plan', file, '--out', kept, '-p', 'small'])).exitCode).toBe(2)
    await service.call('PATCH', `${path}/flags/second`, { name: 'Other' })
    const before = await entries()
    const late = await svc(['apply', kept, '--yes', '-p', 'small'])
    expect([late.exitCode, late.stderr]).toEqual([
      5,
      expect.stringContaining('plan.json was made: flags second. Nothing was done.'),
    ])
    expect(await entries()).toEqual(before)
    await service.call('PATCH', `${path}/flags/second`, { name: 'second' })
    const again = join(desk.home, 'again.json')
    await done('plan', file, '--out', again, '-p', 'small')
    for (const [option, message] of [
      ['--prune', 'cannot be used with a saved plan'],
      ['-pweb-shop', 'The plan is for the project small'],
    ])
      expect(await svc(['apply', again, '--yes', '-p', 'small', option!])).toMatchObject({
        ...{ exitCode: 2, stderr: expect.stringContaining(message!) },
      })
    await writeFile(file, 'version: 1\n')
    expect((await svc(['apply', again, '--yes', '-p', 'small'])).stderr).toContain('Published production\n')
    expect([await staged(), await defaultOf('second')]).toEqual([[], 'off'])
    expect((await svc(['apply', again, '--yes', '-p', 'small'])).exitCode).toBe(5)
  })
})

it('a project of web experiments takes a file without flags, and refuses flags before anything changes', async () => {
  await service.call('POST', '/api/v1/projects', { name: 'Website', key: 'website', type: 'WEB' })
  await service.call('POST', '/api/v1/projects/website/experiments', { name: 'Headline' })
  const exported = (await done('export', '--project', 'website')).stdout
  expect(exported).not.toContain('x1')
  const own = join(desk.home, 'website.yaml')
  await writeFile(own, exported)
  expect((await done('plan', own, '--project', 'website')).stdout).toContain('No changes.')
  await writeFile(own, (await done('export')).stdout.replace('key: web-shop', 'key: website'))
  const before = await entries()
  for (const verb of ['plan', 'apply']) {
    const { exitCode, stderr } = await svc([verb, own, '--project', 'website', ...(verb === 'apply' ? ['--yes'] : [])])
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringContaining('the project website has the type WEB and no flags'),
    ])
  }
  expect(await entries()).toEqual(before)
})

it('a flag can have the name of a method of all objects', async () => {
  const odd = join(desk.home, 'odd.yaml')
  const variations = '{ a: { name: A, value: x }, b: { name: B, value: y } }'
  await writeFile(odd, `version: 1\nflags:\n  constructor: { name: Odd, type: STRING, variations: ${variations} }\n`)
  await done('apply', odd, '--yes')
  expect((await done('plan', odd)).stdout).toContain('No changes.')
  await done('flag', 'delete', 'constructor', '--yes')
})

it('a project can be named by its key alone, as in svc.json', async () => {
  const short = join(desk.home, 'short.yaml')
  await writeFile(short, 'version: 1\nproject: web-shop\n')
  const { stdout } = await desk.svc(['plan', short], { env: { SVC_PROJECT: '' } })
  expect(stdout).toContain('The project web-shop matches')
})

it('the plan refuses a value beyond a limit of the API, before anything is created', async () => {
  const before = await entries()
  const flagOf = (key: string, count: number) =>
    `  ${key}: { name: ${key}, type: STRING, variations: { ${Array.from({ length: count }, (_, at) => `v${at}: { name: V, value: a }`).join(', ')} } }`
  const wrong = join(desk.home, 'wrong.yaml')
  await writeFile(wrong, `version: 1\nflags:\n${[flagOf('one', 2), flagOf('two', 1), flagOf('three', 2)].join('\n')}\n`)
  for (const command of ['plan', 'apply']) {
    const { exitCode, stderr } = await svc([command, wrong, '-p', 'small', ...(command === 'apply' ? ['--yes'] : [])])
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('wrong.yaml:4:35 flags.two.variations must have 2 to 4 entries, not 1'),
    ])
  }
  expect(await entries()).toEqual(before)
})

it('a file with faults is refused before the first request, with their lines', async () => {
  await writeFile(file, 'version: 1\nflags:\n  a: { name: A }\n')
  const { exitCode, stderr } = await svc(['plan', file], { SVC_URL: 'http://127.0.0.1:9' })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('svc.yaml:3:3 flags.a must have type.')])
})
