import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { verifyWebhook } from '@svc/sdk/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../packages/cli/testing/run-svc.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { cleanEnvironment, type OpenService, openService, root } from './service.ts'
import { openShell } from './shell.ts'
import { openSvcDoor } from './svc-door.ts'

const execute = promisify(execFile)
let service: OpenService
let desk: Desk
let token: string

beforeAll(async () => {
  // No server listens there, so each delivery fails at once.
  service = await openService({ SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1' })
  token = service.token
  await service.call('POST', '/api/v1/projects', { name: 'Web shop', key: 'web-shop' })
  desk = openDesk({ SVC_URL: service.url, SVC_TOKEN: token, SVC_PROJECT: 'web-shop', SVC_ENV: 'production' })
})
afterAll(async () => {
  desk?.remove()
  await service?.stop()
})

/** Runs a command that must succeed, and returns what it says and prints. */
async function done(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, ...printed } = await desk.svc(args)
  expect(exitCode, `svc ${args.join(' ')}: ${printed.stderr}`).toBe(0)
  return printed
}
// biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
const json = async (...args: string[]): Promise<any> => JSON.parse((await done(...args, '--json')).stdout)

async function fails(...args: string[]): Promise<{ exitCode: number | null; stderr: string }> {
  const { exitCode, stdout, stderr } = await desk.svc(args)
  expect(stdout).toBe('')
  return { exitCode, stderr }
}

it('a flag from its creation to its deletion', async () => {
  const created = await done('flag', 'create', 'one-page-checkout', '--tag', 'web')
  expect(created).toEqual({
    stdout: '',
    stderr: 'The flag one-page-checkout is created. It is off in every environment.\n',
  })
  expect(await json('flag', 'get', 'one-page-checkout')).toMatchObject({
    name: 'One page checkout',
    type: 'BOOLEAN',
    tags: ['web'],
    defaultVariationKey: 'off',
  })
  expect((await done('flag', 'run', 'one-page-checkout', '--wait')).stderr).toMatch(
    /^The flag one-page-checkout runs in production, revision \d+\.\nNo SDK is connected\.\n$/,
  )
  expect((await done('flag', 'run', 'one-page-checkout')).stderr).toContain('already runs in production')
  await done('flag', 'set', 'one-page-checkout', '--default', 'on')
  await done('flag', 'set', 'one-page-checkout', '--name', 'Checkout', '--tag', 'a', '--tag', 'b', '--permanent', 'yes')
  const { stdout } = await done('flag', 'list')
  expect(stdout.split('\n')[0]).toBe('KEY                TYPE     STATUS   PRODUCTION  DEVELOPMENT  TAGS  UPDATED')
  expect(stdout.split('\n')[1]).toMatch(/^one-page-checkout {2}BOOLEAN {2}RUNNING {2}on\* {9}off {10}a, b {2}\d{4}-/)
  expect((await done('flag', 'get', 'one-page-checkout')).stdout).toMatch(
    /^production {3}on {6}off {6}0 of 0 run .* default /m,
  )
  expect((await done('flag', 'history', 'one-page-checkout')).stdout).toMatch(/^ +\d+ {2}\d{4}-.* ran/m)
  await done('flag', 'pause', 'one-page-checkout')
  expect((await fails('flag', 'delete', 'one-page-checkout')).exitCode).toBe(2)
  await done('flag', 'archive', 'one-page-checkout', '--yes')
  await done('flag', 'unarchive', 'one-page-checkout')
  expect((await fails('flag', 'delete', 'one-page-checkout', '--yes')).exitCode).toBe(5)
  await done('flag', 'create', 'short-lived')
  expect((await done('flag', 'delete', 'short-lived', '--yes', '--json')).stdout).toBe('null\n')
})

it('a project from its creation to its deletion', async () => {
  expect((await done('project', 'create', 'Web site', '--key', 'web-site')).stderr).toBe(
    'The project web-site "Web site" is created.\n',
  )
  expect((await done('project', 'list')).stdout).toMatch(/^web-site +Web site +FEATURE_FLAG +\d{4}-/m)
  expect((await json('project', 'list')).map(({ key }: { key: string }) => key).sort()).toEqual([
    'web-shop',
    'web-site',
  ])
  expect((await done('project', 'get', 'web-site')).stdout).toMatch(/^Name +Web site$/m)
  expect((await fails('project', 'set', 'web-site')).exitCode).toBe(2)
  await done('project', 'set', 'web-site', '--name', 'Site', '--key', 'site')
  expect(await json('project', 'get', 'site')).toMatchObject({ name: 'Site', key: 'site' })
  expect((await fails('project', 'delete', 'site')).exitCode).toBe(2)
  expect((await done('project', 'delete', 'site', '--yes')).stderr).toBe('The project site is deleted.\n')
  expect((await fails('project', 'get', 'site')).exitCode).toBe(4)
  const { stderr } = await desk.svc(['flag', 'list'], { env: { SVC_PROJECT: '' } })
  expect(stderr).toContain('The token sees web-shop (usage).')
})

it('flags of other types, and their variations from a file', async () => {
  await done('flag', 'create', 'page-size', '--type', 'NUMBER', '--variation', 'small=10', '--variation', 'large=50')
  expect((await fails('flag', 'create', 'theme', '--type', 'JSON')).exitCode).toBe(2)
  const before = await json('flag', 'variations', 'page-size')
  const file = join(desk.home, 'variations.json')
  await writeFile(
    file,
    '[{ "key": "small", "value": "20" }, { "key": "large", "value": "50" }, { "key": "huge", "value": "99" }]',
  )
  await done('flag', 'variations', 'page-size', '-f', file)
  const after = await json('flag', 'variations', 'page-size')
  expect(after).toMatchObject([{ ...before[0], value: '20' }, before[1], { key: 'huge', name: 'Huge' }])
  expect((await json('flag', 'list', '--type', 'NUMBER')).map(({ key }: { key: string }) => key)).toEqual(['page-size'])
  expect((await done('flag', 'list', '--tag', 'none')).stderr).toBe('No flag matches.\n')
  await writeFile(file, '[{ "key": "small", "value": "x" }, { "key": "large", "value": "50" }]')
  expect(await fails('flag', 'variations', 'page-size', '-f', file)).toMatchObject({ exitCode: 2 })
})

it('rules: staged, published, switched, moved, copied and deleted', async () => {
  await done('flag', 'create', 'checkout')
  await service.call('POST', '/api/v1/projects/web-shop/segments', { name: 'VIP customers' })
  await service.call('POST', '/api/v1/projects/web-shop/audiences', {
    name: 'Beta',
    conditions: { attribute: 'plan', operator: 'equals', value: 'beta' },
  })
  const added = await json(
    'rule',
    'add',
    'checkout',
    '--variation',
    'on',
    '--where',
    'country in NL,BE',
    '--where',
    'segment VIP customers',
    '--percent',
    '25',
  )
  expect(added).toMatchObject({
    name: 'on for country in NL,BE and segment VIP customers',
    trafficAllocation: 2500,
    enabled: true,
  })
  const id = added.key
  const said = await done(
    'rule',
    'add',
    'checkout',
    '--split',
    'off=50,on=50',
    '--name',
    'Test',
    '--audience',
    'Beta',
    '--position',
    '1',
  )
  expect(said.stderr).toMatch(
    /^The rule test "Test" of checkout is staged in production. svc publish makes it live.\n$/,
  )
  const rows = (await done('rule', 'list', 'checkout')).stdout.split('\n')
  expect(rows[0]).toMatch(/^# +KEY +TYPE +STATUS +WHO +GETS +SHARE$/)
  expect(rows[1]).toMatch(/^1 +test +AB_TEST .* audience Beta +off 50 %, on 50 % +100 %$/)
  expect(rows[2]).toMatch(/^2 .* country in NL, BE and segment VIP customers +on +25 %$/)
  await done('rule', 'move', 'checkout', id, '1')
  await done('rule', 'set', 'checkout', id, '--percent', '50', '--name', 'Benelux')
  expect((await fails('rule', 'set', 'checkout', id, '--split', 'on=50,off=50')).exitCode).toBe(2)
  expect((await done('rule', 'get', 'checkout', id)).stdout).toMatch(/Position +1\n[\s\S]*Share +50 %/)
  expect((await fails('rule', 'add', 'checkout', '--variation', 'on', '--where', 'segment Nobody')).exitCode).toBe(4)
  expect((await done('publish', 'checkout', '--dry-run', '--visitors', 'generate')).stdout).toMatch(
    /checkout +rules[\s\S]*of 1000 visitors/,
  )
  expect((await done('publish', 'checkout', '--comment', 'For the sale', '--wait')).stderr).toMatch(
    /It is published to production. Visitors get the same as before: revision \d+ stays live.\nNo SDK is connected.\n$/,
  )
  expect((await done('publish', 'checkout')).stderr).toContain('Nothing is staged in production.')
  await done('flag', 'run', 'checkout')
  expect((await done('rule', 'pause', 'checkout', id)).stderr).toMatch(/is paused in production, revision \d+.\n$/)
  expect((await done('rule', 'run', 'checkout', id, '--wait')).stderr).toContain(' runs in production')
  const test = (await json('rule', 'list', 'checkout'))[1]
  expect((await fails('rule', 'set', 'checkout', test.shortId, '--split', 'off=10,on=90')).exitCode).toBe(5)
  await done('rule', 'set', 'checkout', test.shortId, '--split', 'off=10,on=90', '--confirm-reassignment')
  for (const key of ['basket_paid', 'basket_error'])
    await service.call('POST', '/api/v1/projects/web-shop/metrics', {
      ...{ key, name: `Metric ${key}`, type: 'PROPORTION', eventKey: key },
    })
  await service.call('PATCH', `/api/v1/projects/web-shop/flags/checkout/envs/production/rules/${test.id}`, {
    metrics: { guardrails: ['basket_error'] },
    confirmReassignment: true,
  })
  await done('rule', 'set', 'checkout', test.shortId, '--metric', 'Metric basket_paid', '--confirm-reassignment')
  expect((await done('rule', 'get', 'checkout', test.shortId)).stdout).toMatch(
    /^Metrics +Metric basket_paid\nGuardrails +Metric basket_error$/m,
  )
  expect((await done('rule', 'copy', 'checkout', '--from', 'production', '-e', 'development')).stderr).toMatch(
    /^2 rules are copied to development/,
  )
  expect((await fails('rule', 'delete', 'checkout', id)).exitCode).toBe(2)
  await done('rule', 'delete', 'checkout', id, '--yes')
  expect(await json('rule', 'list', 'checkout')).toHaveLength(1)
})

it('environments: created, compared, restored and deleted', async () => {
  const created = await json('env', 'create', 'Staging', '--color', '#16A34A', '--copy-from', 'development')
  expect(created).toMatchObject({ key: 'staging', color: '#16A34A' })
  await done('env', 'set', '-e', 'staging', '--name', 'Stage', '--protected', 'yes', '--position', '2')
  expect((await done('env', 'get', '-e', 'staging')).stdout).toMatch(
    /Name +Stage\n[\s\S]*Protected +yes\nPosition +2\n/,
  )
  expect((await done('env', 'list')).stdout).toMatch(
    /^KEY +NAME +REVISION +STAGED +SDKS +LAST HEARTBEAT\nproduction +Production +\d+ +yes +0 +never\n/,
  )
  expect((await done('env', 'compare', 'production', 'development')).stdout).toMatch(
    /^checkout +on +off +switch, rules$/m,
  )
  expect((await done('env', 'status')).stdout).toMatch(/^Revision +\d+\n/)
  const {
    data: { revision },
  } = { data: (await json('env', 'get')).dataFile }
  expect(JSON.parse((await done('env', 'datafile')).stdout)).toMatchObject({
    revision,
    environment: { key: 'production' },
  })
  expect((await done('env', 'restore', String(revision), '--dry-run')).stderr).toContain('would be staged')
  expect((await done('env', 'restore', String(revision))).stderr).toMatch(
    /^Revision \d+ of .*checkout.* is staged. svc publish makes it live.\n$/,
  )
  expect((await done('env', 'restore', String(revision))).stderr).toContain('The drafts already match revision')
  const terminal = desk.terminal(['env', 'delete', '-e', 'staging'])
  await terminal.sees('Type staging to confirm:')
  terminal.type('stage\r')
  expect((await terminal.ended).exitCode).toBe(1)
  await done('env', 'delete', '-e', 'staging', '--yes')
  expect((await fails('env', 'get', '-e', 'staging')).exitCode).toBe(4)
})

it('SDK keys: a second one is created, and the first is revoked after a question that names its clients', async () => {
  const [{ key: first }] = await json('sdk-key', 'list')
  const beat = { sdkKey: first, sdkType: 'node', sdkVersion: '1.4.0', instanceId: 'a', revision: 0 }
  await service.call('POST', '/api/sdk/heartbeat', beat)
  expect(await fails('sdk-key', 'revoke', first, '--yes')).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('This is the only SDK key of Production.'),
  })
  const { key: second } = await json('sdk-key', 'create')
  expect((await fails('sdk-key', 'create')).exitCode).toBe(5)
  const { stdout } = await done('sdk-key', 'list')
  expect(stdout).toMatch(/^KEY +CREATED +BY +LAST USED +CLIENTS\n/)
  expect(stdout).toMatch(new RegExp(`^${second} .* never +none$`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${first} .* 1 node 1\\.4\\.0$`, 'm'))
  expect((await json('env', 'get')).sdkKey).toBe(second)
  expect((await fails('sdk-key', 'revoke', first)).stderr).toContain(
    'Clients of the last day will not get changes: 1 node 1.4.0.',
  )
  const terminal = desk.terminal(['sdk-key', 'revoke', first])
  await terminal.sees('[y/N]')
  terminal.type('n\r')
  expect((await terminal.ended).exitCode).toBe(1)
  expect((await done('sdk-key', 'revoke', first, '--yes')).stderr).toBe(
    `The SDK key ${first.slice(0, 12)}… of production is revoked.\n`,
  )
  expect(await json('sdk-key', 'list')).toMatchObject([{ key: second }])
  expect((await fails('sdk-key', 'revoke', first, '--yes')).exitCode).toBe(4)
})

it('ingest keys: one is created and printed once, then required, renewed and revoked', async () => {
  const refused = await fails('ingest-key', 'require', 'all', '--yes')
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('Production has no ingest key') })
  const created = await done('ingest-key', 'create')
  const first = created.stdout.trim()
  expect(first).toMatch(/^svc_ing_[\w-]{43}$/)
  expect(created.stderr).toBe(`The ingest key …${first.slice(-4)} of production is created. It is not shown again.\n`)
  const { secret, id } = await json('ingest-key', 'create')
  expect((await fails('ingest-key', 'create')).exitCode).toBe(5)
  expect((await fails('ingest-key', 'require', 'conversions', '--yes')).stderr).toContain(
    'WHAT must be none, tracked-events or all (got conversions)',
  )

  const terminal = desk.terminal(['ingest-key', 'require', 'tracked-events'])
  await terminal.sees('Tracked events without an ingest key, such as those of pages, will be rejected.')
  await terminal.sees('[y/N]')
  terminal.type('n\r')
  expect((await terminal.ended).exitCode).toBe(1)
  expect((await json('env', 'get')).ingestKeyRequiredFor).toBe('NONE')
  expect((await done('ingest-key', 'require', 'tracked-events', '--yes')).stderr).toBe(
    'Every tracked event of production needs an ingest key.\n',
  )
  expect((await done('env', 'get')).stdout).toMatch(/^Ingest key +required for tracked events$/m)
  const { sdkKey } = await json('env', 'get')
  const order = { type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' }
  await fetch(`${service.url}/api/sdk/v1/events`, { method: 'POST', body: JSON.stringify({ sdkKey, events: [order] }) })
  await done('ingest-key', 'list')
  expect((await done('env', 'get')).stdout).toMatch(/^Event without key +last rejected 20\d\d-/m)

  const { stdout } = await done('ingest-key', 'list')
  expect(stdout).toMatch(/^KEY +CREATED +BY +LAST USED +FROM\n/)
  expect(stdout).not.toContain(secret)
  expect((await fails('ingest-key', 'revoke', first.slice(-4))).stderr).toContain('This key was never used.')
  await done('ingest-key', 'revoke', first.slice(-4), '--yes')
  expect(await fails('ingest-key', 'revoke', id, '--yes')).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('This is the only ingest key of Production'),
  })
  expect((await done('ingest-key', 'require', 'none')).stderr).toBe('No event of production needs an ingest key.\n')
  await done('ingest-key', 'revoke', id, '--yes')
  expect((await done('ingest-key', 'list')).stderr).toBe('There is no ingest key in production.\n')
  expect((await fails('ingest-key', 'revoke', id, '--yes')).exitCode).toBe(4)
})

it('overrides: a visitor has one variation, and a list is read again if somebody else was faster', async () => {
  const added = await done('override', 'add', 'checkout', 'on', 'u-1', 'u-2', 'u-1')
  expect(added.stderr).toMatch(/^u-1, u-2 always get on /)
  await done('override', 'add', 'checkout', 'off', 'u-2')
  const listed = await done('override', 'list', 'checkout')
  expect(listed.stdout).toBe('VARIATION  USER  RULE\non         u-1\noff        u-2\n')
  expect(listed.stderr).toContain('Not all of this is live.')
  const [test] = await json('rule', 'list', 'checkout')
  await done('override', 'add', 'checkout', 'on', 'u-3', '--rule', test.key)
  expect((await json('override', 'list', 'checkout')).ruleAllowlists).toEqual([
    { ruleId: test.id, entries: [{ variationKey: 'on', userIds: ['u-3'] }] },
  ])
  await done('override', 'remove', 'checkout', 'u-3', '--rule', test.id)
  await done('override', 'remove', 'checkout', 'u-1')
  expect((await fails('override', 'remove', 'checkout', 'u-1')).exitCode).toBe(4)
  await Promise.all(['a', 'b', 'c'].map((user) => done('override', 'add', 'checkout', 'on', user)))
  const { environmentAllowlist } = await json('override', 'list', 'checkout')
  expect(
    environmentAllowlist.find(({ variationKey }: { variationKey: string }) => variationKey === 'on').userIds.sort(),
  ).toEqual(['a', 'b', 'c'])
})

it('audiences, segments and metrics: created, changed, listed and deleted', async () => {
  await done('segment', 'create', '--name', 'Loyal')
  await done('audience', 'create', '--name', 'Dutch', '--key', 'dutch-speakers', '--where', 'country in NL,BE')
  await done('audience', 'set', 'Dutch', '--description', 'Speaks Dutch', '--where', 'segment Loyal')
  expect((await done('audience', 'list')).stdout).toMatch(
    /^KEY +NAME +WHO +RULES +UPDATED\ndutch-speakers +Dutch +segment Loyal +0 /,
  )
  expect((await done('audience', 'get', 'dutch-speakers')).stdout).toContain('Speaks Dutch')
  await done('audience', 'delete', 'Dutch', '--yes')
  expect((await fails('audience', 'get', 'Dutch')).exitCode).toBe(4)

  const csv = join(desk.home, 'members.csv')
  await writeFile(csv, 'id;name\nu-1;Ada\nu-2;Bob\n')
  await done('segment', 'create', '--name', 'Uploaded')
  expect((await done('segment', 'upload', 'Uploaded', csv)).stderr).toBe('The segment "Uploaded" has 2 members.\n')
  await done('segment', 'add', 'Uploaded', 'u-3', 'u-4')
  await done('segment', 'remove', 'Uploaded', 'u-1')
  expect((await done('segment', 'members', 'Uploaded')).stdout.split('\n').sort().join(' ').trim()).toBe('u-2 u-3 u-4')
  expect(await json('segment', 'members', 'Uploaded', '--limit', '2')).toHaveLength(2)
  await done('segment', 'set', 'Uploaded', '--name', 'Renamed')
  expect((await done('segment', 'list')).stdout).toMatch(/\nuploaded +Renamed +3 /)
  await done('segment', 'delete', 'Renamed', '--yes')

  const paid = JSON.stringify({ key: 'order_paid', name: 'Paid', type: 'PROPORTION', eventKey: 'order_paid' })
  const created = await desk.svc(['metric', 'create', '-f', '-', '--name', 'Paid orders'], { input: paid })
  expect(created).toEqual({ exitCode: 0, stdout: '', stderr: 'The metric order_paid "Paid orders" is created.\n' })
  expect((await done('metric', 'list')).stdout).toMatch(/^order_paid +Paid orders +PROPORTION +order_paid +more +0$/m)
  await done('metric', 'set', 'order_paid', '--name', 'Orders')
  expect((await done('metric', 'get', 'order_paid')).stdout).toMatch(/^Name +Orders$/m)
  await done('metric', 'delete', 'order_paid', '--yes')
})

it('exclusion groups and holdouts: created, changed, listed and deleted', async () => {
  await done('exclusion-group', 'create', '--name', 'Checkout tests', '--slot', '50%')
  await done('exclusion-group', 'set', 'Checkout tests', '--name', 'Checkout', '--slot', '33.5')
  expect((await done('exclusion-group', 'list')).stdout).toMatch(/\ncheckout-tests +Checkout +33.5 % +0 /)
  expect(await json('exclusion-group', 'get', 'checkout-tests')).toMatchObject({ name: 'Checkout', slotSize: 3350 })
  await done('exclusion-group', 'delete', 'checkout-tests', '--yes')
  expect((await fails('exclusion-group', 'get', 'checkout-tests')).stderr).toContain(
    'Exclusion group "checkout-tests" was not found (not_found).',
  )
  expect((await done('exclusion-group', 'list')).stderr).toBe('The project has no exclusion group.\n')
  expect((await fails('holdout', 'create', '--name', 'Half', '--share', '50%')).exitCode).toBe(2)
  await done('holdout', 'create', '--name', 'Of the year', '--key', 'year', '--share', '5%')
  await done('holdout', 'set', 'Of the year', '--archived', 'yes')
  expect((await done('holdout', 'list')).stdout).toMatch(/\nyear +Of the year +5 % +yes +0 /)
  expect((await fails('holdout', 'delete', 'year')).exitCode).toBe(2)
  await done('holdout', 'delete', 'year', '--yes')
})

it('placements: created from a file, changed and deleted', async () => {
  const file = join(desk.home, 'home.json')
  const variant = { strategies: ['RECENTLY_VIEWED'], maxPerBrand: 2 }
  await writeFile(file, JSON.stringify({ variants: { default: variant, none: { strategies: [] } } }))
  await done('placement', 'create', '--name', 'Home', '--limit', '6', '--file', file)
  expect(await json('placement', 'get', 'home')).toMatchObject({ limit: 6, variants: { default: variant } })
  await done('placement', 'set', 'home', '--strategy', 'RECENTLY_VIEWED', '--history', 'yes')
  expect((await done('placement', 'get', 'home')).stdout).toMatch(/History +yes/)
  expect((await done('placement', 'list')).stdout).toMatch(/\nhome +Home +6 +default/)
  expect(await json('placement', 'preview', 'home', '--seen', 'G17')).toMatchObject({ items: [], candidates: [] })
  expect((await fails('placement', 'measure', 'home', '--control', '10%')).stderr).toContain('No order has come')
  await done('placement', 'delete', 'home', '--yes')
})

it('catalog sources: created with a secret from a file, previewed, changed, synced and deleted', async () => {
  const password = join(desk.home, 'password.txt')
  await writeFile(password, 'a-long-password\n')
  const address = ['--url', 'https://localhost:1/feed.csv', '--user', 'svc', '--secret', password]
  await done('source', 'create', '--name', 'Main feed', '--type', 'PRODUCTS', '--map', 'cost=wholesale', ...address)
  expect(await json('source', 'get', 'main-feed')).toMatchObject({
    auth: { type: 'BASIC', username: 'svc', secret: '…word' },
    mapping: { cost: 'wholesale' },
  })
  const feed = join(desk.home, 'feed.csv')
  await writeFile(feed, Buffer.from('id,title,link,price\na,Gr\xfcn,https://shop.example/a,1.50\nb,B,x,2\n', 'latin1'))
  await done('source', 'set', 'Main feed', '--encoding', 'windows-1252', '--currency', 'EUR', '--cron', '15 4 1 1 *')
  const { stdout } = await done('source', 'preview', 'main-feed', '--input', feed)
  expect(stdout).toMatch(/\n +2 +a +Grün +1.50 EUR +IN_STOCK/)
  expect(stdout).toMatch(/\n +3 +b +yes +bad_url +link must /)
  const { exitCode, stderr } = await desk.svc(['source', 'preview', 'main-feed'])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('svc: The endpoint refused the connection (failed).')])
  expect((await done('source', 'list')).stdout).toMatch(/\nmain-feed +Main feed +PRODUCTS +AUTO +https:/)
  const sent = join(desk.home, 'sent.csv')
  const rows = Array.from({ length: 19 }, (_, at) => `a${at},Green,https://shop.example/a${at},1.50`)
  await writeFile(sent, ['id,title,link,price', ...rows, 'b,B,x,2'].join('\n'))
  const upload = await json('source', 'upload', 'main-feed', sent, '--wait')
  expect(upload).toMatchObject({
    ...{ kind: 'catalog_import', trigger: 'UPLOAD', status: 'SUCCEEDED', result: { catalog: { added: 19 } } },
  })
  expect((await done('job', 'errors', upload.id)).stdout).toMatch(/\n +21 +b +bad_url +error +link must /)
  const job = await json('source', 'sync', 'main-feed')
  expect(job).toMatchObject({ kind: 'feed_sync', trigger: 'REQUEST' })
  expect((await fails('job', 'apply', job.id, '--yes')).stderr).toContain('Only a job that is held can be applied')
  await done('job', 'cancel', job.id, '--yes')
  await expect.poll(async () => (await json('job', 'get', job.id)).status).toBe('CANCELLED')
  await done('source', 'delete', 'main-feed', '--yes')
})

it('orders: imported from a file, listed and added up', async () => {
  await done('source', 'create', '--name', 'Shop orders', '--type', 'ORDERS', '--currency', 'EUR')
  const file = join(desk.home, 'orders.jsonl')
  const items = [{ itemId: 'a', quantity: 1, price: '5.00' }]
  await writeFile(file, JSON.stringify({ orderId: '7', placedAt: '2026-11-20T10:00:00Z', total: '5.00', items }))
  expect(await json('order', 'import', 'shop-orders', file)).toMatchObject({
    status: 'SUCCEEDED',
    result: { orders: { added: 1 } },
  })
  expect((await done('order', 'list')).stdout).toMatch(/ 7 +.*PLACED +5.00 EUR .*IMPORT +yes/)
  await done('source', 'delete', 'shop-orders', '--yes')
})

it('staged changes: listed with their author, and discarded at a path or all of them', async () => {
  await done('flag', 'create', 'waiting')
  await done('flag', 'run', 'waiting')
  await done('flag', 'set', 'waiting', '--default', 'on')
  expect((await done('publish', 'waiting', '--dry-run', '--visitors', 'generate')).stdout).toMatch(
    /^1000 of 1000 visitors would get a different value.\nwaiting: 1000 from off to on, such as visitor-/m,
  )
  await done('rule', 'add', 'waiting', '--variation', 'on', '--key', 'all')
  const listed = (await done('staged', 'list', 'waiting')).stdout.split('\n')
  expect(listed[0]).toMatch(/^WHAT +PATH +BY +AT$/)
  expect(listed[1]).toMatch(/^waiting +defaultVariationKey +\S.* \d{4}-/)
  const paths = (await json('staged', 'list', 'waiting')).flags[0].changes.map(({ path }: { path: string }) => path)
  expect(paths).toHaveLength(2)
  expect((await fails('staged', 'discard', 'waiting')).exitCode).toBe(2)
  expect((await done('staged', 'discard', 'waiting', paths[0], '--yes')).stderr).toBe(
    'Discarded 1 staged change of waiting in production. 1 is left.\n',
  )
  expect((await done('staged', 'discard', 'waiting', '--yes')).stderr).toContain('Nothing is left.')
  expect((await fails('staged', 'discard', 'waiting', '--yes')).exitCode).toBe(4)
  expect((await done('staged', 'list', 'waiting')).stderr).toBe('Nothing is staged in production.\n')
})

it('schedules of a flag and of a rule: set, listed and cancelled', async () => {
  await done('flag', 'create', 'launch')
  const rule = await json('rule', 'add', 'launch', '--variation', 'on', '--name', 'Early')
  await done('publish', 'launch')
  const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)}Z`
  const shown = tomorrow.slice(0, 16).replace('T', ' ')
  expect((await done('schedule', 'set', 'launch', '--run', tomorrow, '--note', 'Go')).stderr).toBe(
    `The flag launch in production runs at ${shown}:00 UTC.\n`,
  )
  await done('schedule', 'set', 'launch', '--pause', tomorrow, '--rule', rule.key, '--timezone', 'Europe/Amsterdam')
  expect((await done('schedule', 'list', '--flag', 'launch')).stdout.split('\n').slice(0, 3).sort()).toEqual([
    expect.stringMatching(new RegExp(`^${shown}:00 +PAUSE +launch +production +Early +PENDING `)),
    expect.stringMatching(new RegExp(`^${shown}:00 +RUN +launch +production +PENDING .* Go$`)),
    expect.stringMatching(/^TIME +DOES +FLAG +ENV +RULE +STATUS +WHO +NOTE$/),
  ])
  expect((await done('schedule', 'get', 'launch', '--rule', rule.key)).stdout).toMatch(
    /^Time zone +Europe\/Amsterdam$/m,
  )
  for (const args of [['launch'], [], ['launch', '--run', tomorrow, '--pause', tomorrow], ['--run', tomorrow]])
    expect((await fails('schedule', 'set', ...args)).exitCode).toBe(2)
  expect((await done('schedule', 'cancel', 'launch')).stderr).toContain(
    'of the flag launch in production is cancelled.',
  )
  await done('schedule', 'cancel', 'launch', '--rule', rule.key)
  expect(await json('schedule', 'list', '--flag', 'launch')).toEqual([])
  expect((await fails('schedule', 'get', '--experiment', 'none')).stderr).toContain('Experiment "none" was not found')
})

it('a web experiment: settings, changes, code, an address, and its hand-off', async () => {
  await done('project', 'create', 'Website', '--key', 'website', '--type', 'WEB')
  const on = ['-p', 'website']
  const file = async (name: string, content: unknown) => {
    await writeFile(join(desk.home, name), typeof content === 'string' ? content : JSON.stringify(content))
    return join(desk.home, name)
  }
  expect((await done('web', 'settings', '--host', 'shop.example', '--host', '*.shop.example', ...on)).stderr).toBe(
    'The web settings of website are saved.\n',
  )
  await done('web', 'settings', '-f', await file('settings.json', { maxDelayMs: 500 }), ...on)
  const shown = (await done('web', 'settings', ...on)).stdout
  expect(shown).toMatch(/^Hosts +shop\.example, \*\.shop\.example$/m)
  expect(shown).toMatch(/^Maximum delay +500 ms$/m)
  const conditions = { attribute: 'page.path', operator: 'equals', value: '/pricing' }
  const fields = { name: 'Price', pages: [{ key: 'pricing', name: 'Pricing', conditions }] }
  await done('experiment', 'create', '-f', await file('web.json', fields), ...on)
  const variation = ['1', 'variation-1']

  const schema = JSON.parse((await done('experiment', 'changes', 'schema', ...on)).stdout)
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['changes', 'css']))
  const change = { id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9', was: 'Plans' }
  const wrong = await file('wrong.json', { changes: [{ ...change, page: 'home' }] })
  expect((await fails('experiment', 'changes', 'put', ...variation, wrong, ...on)).stderr).toContain('changes[0].page')
  const changes = await file('changes.json', { changes: [change], css: 'h1 { color: red }' })
  const dry = await done('experiment', 'changes', 'put', ...variation, changes, '--dry-run', ...on)
  expect(dry).toEqual({ stdout: 'CHANGES\nchanges.c1\ncss\n', stderr: 'Nothing was changed.\n' })
  expect(await json('experiment', 'changes', 'get', ...variation, ...on)).toEqual({ changes: [], css: null })
  expect((await done('experiment', 'changes', 'put', ...variation, changes, ...on)).stderr).toBe(
    'The draft of variation-1 is saved.\n',
  )
  const printed = (await done('experiment', 'changes', 'get', ...variation, ...on)).stdout
  const again = await done('experiment', 'changes', 'put', ...variation, await file('again.json', printed), ...on)
  expect(again.stderr).toBe('Nothing differs.\n')

  const code = await file('code.js', 'svc.track("seen")\n')
  expect((await done('experiment', 'code', 'put', ...variation, code, ...on)).stdout).toBe('CHANGES\njs\n')
  expect((await done('experiment', 'code', 'get', ...variation, ...on)).stdout).toBe('svc.track("seen")\n')
  await done('experiment', 'code', 'put', ...variation, await file('none.js', ''), ...on)
  expect((await done('experiment', 'code', 'get', ...variation, ...on)).stderr).toBe(
    'The variation variation-1 has no code.\n',
  )

  const at = (path: string) => ['experiment', 'try', '1', `https://shop.example${path}`, '--key', 'u-1', ...on]
  expect((await done(...at('/pricing'))).stdout).toMatch(/^Pages +pricing$/m)
  expect((await done(...at('/'))).stdout).toContain('none: the visitor takes no part here')
  expect((await json(...at('/pricing'), '--live')).evaluation.errorCode).toBe('FLAG_NOT_FOUND')

  await done('experiment', 'launch', '1', ...on)
  await done('experiment', 'changes', 'put', ...variation, await file('css.json', { changes: [change] }), ...on)
  expect((await done('staged', 'list', '--experiment', '1', ...on)).stdout).toContain('variations.variation-1.css')
  expect((await fails('staged', 'discard', ...on)).stderr).toContain('Name a flag, or use --experiment')
  const discard = ['staged', 'discard', '--experiment', '1', 'variations.variation-1.css', '--yes', ...on]
  expect((await done(...discard)).stderr).toBe(
    'Discarded 1 staged change of the experiment 1 in production. Nothing is left.\n',
  )
  expect((await fails(...discard)).stderr).toContain('Nothing of the experiment 1 is staged in production')
  const markdown = (await done('experiment', 'hand-off', ...variation, ...on)).stdout
  expect(markdown).toContain('- [ ] On Pricing, change the text of `h1` from `Plans` to `From € 9`.')
  expect(await json('experiment', 'hand-off', ...variation, ...on)).toMatchObject({ source: 'LIVE', markdown })
})

it('an experiment from the draft to the winner, and its results', async () => {
  await done('flag', 'create', 'copy')
  const fields = {
    flagId: 'copy',
    name: 'Shorter copy',
    variations: [
      { key: 'off', weight: 5000 },
      { key: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
  }
  const file = join(desk.home, 'experiment.json')
  await writeFile(file, JSON.stringify(fields))
  const { shortId, ruleId } = await json('experiment', 'create', '-f', file)
  const id = String(shortId)
  await done('experiment', 'set', id, '--description', 'Less to read')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect((await done('schedule', 'set', '--experiment', id, '--run', tomorrow)).stderr).toContain(
    `The experiment ${id} runs at `,
  )
  const drafted = (await done('experiment', 'get', id)).stdout
  expect(drafted).toMatch(/^Flag +copy$/m)
  expect(drafted).toMatch(/^Environment +Production$/m)
  expect(drafted).toContain(`RUN at ${tomorrow.slice(0, 10)}`)
  await done('schedule', 'cancel', '--experiment', id)
  const tried = await done('experiment', 'launch', id, '--dry-run')
  expect([tried.stdout.split('\n')[0], tried.stderr]).toEqual([
    'The flag is paused in Production. Run it there first.',
    'Nothing was changed.\n',
  ])
  await done('flag', 'run', 'copy')
  expect((await done('experiment', 'launch', id)).stderr).toContain(`The experiment ${id} is RUNNING, revision `)
  expect((await done('experiment', 'pause', id)).stderr).toContain('is PAUSED')
  expect((await done('experiment', 'resume', id)).stderr).toContain('is RUNNING')
  expect((await done('experiment', 'list', '--status', 'RUNNING')).stdout).toMatch(/^ *\d+ +Shorter copy +RUNNING/m)
  expect((await done('experiment', 'get', id)).stdout).toMatch(/^Split +off 50 %, on 50 %$/m)
  await writeFile(join(desk.home, 'share.json'), JSON.stringify({ trafficAllocation: 5000 }))
  await done('experiment', 'set', id, '-f', join(desk.home, 'share.json'))
  expect((await done('experiment', 'publish', id, '--dry-run')).stdout).toMatch(/^rules\..+\.trafficAllocation$/m)
  expect((await done('experiment', 'publish', id, '--comment', 'Half of them')).stderr).toMatch(
    /^Published, revision \d+\.$/m,
  )
  expect((await done('experiment', 'publish', id)).stderr).toContain('Nothing is staged.')
  expect((await done('results', id, '--refresh')).stdout).toMatch(/^Units +0$[\s\S]*^Health: /m)
  const { key } = await json('rule', 'get', 'copy', ruleId)
  for (const rule of [ruleId, key])
    expect(await json('results', 'copy', rule)).toMatchObject({ ruleId, units: { total: 0 } })
  expect((await desk.svc(['results', 'copy', key, '--env', 'development'])).exitCode).toBe(4)
  expect((await done('results', id, '--csv')).stdout).toContain(',')
  const dry = await done('experiment', 'winner', id, 'on', '--roll-out', '--dry-run')
  expect(dry.stderr).toContain(`Nothing was changed. on would be the winner of the experiment ${id}, for everyone`)
  expect(dry.stdout).toMatch(/^CHANGES\nrules\./)
  await done('experiment', 'winner', id, 'on', '--comment', 'Clear', '--roll-out')
  expect(await json('experiment', 'get', id)).toMatchObject({ status: 'COMPLETED', winner: { variationKey: 'on' } })
  expect((await fails('experiment', 'complete', 'nothing')).stderr).toContain('Experiment "nothing" was not found')
  expect((await done('experiment', 'duplicate', id, '--to', 'development')).stderr).toMatch(
    /^The experiment \d+ "Shorter copy \(copy\)" is created\. It is a draft\.$/m,
  )
  expect((await fails('experiment', 'archive', id)).exitCode).toBe(2)
  expect((await done('experiment', 'archive', id, '--yes')).stderr).toContain('is ARCHIVED')
  expect((await done('experiment', 'unarchive', id)).stderr).toContain('is COMPLETED')
  const draft = await json('experiment', 'create', '-f', file, '--name', 'Second')
  await done('experiment', 'delete', String(draft.shortId), '--yes')
})

it('a visitor gets the same from the service and from a data file', async () => {
  await done('flag', 'create', 'greeting', '--type', 'STRING', '--variation', 'hi=Hi', '--variation', 'hello=Hello')
  await done(
    'rule',
    'add',
    'greeting',
    '--variation',
    'hello',
    '--where',
    'age greaterThan 17',
    '--where',
    'zip equals "01234"',
  )
  await done('publish', 'greeting')
  await done('flag', 'run', 'greeting')
  const visitor = ['--key', 'u-1', '--attr', 'age=18', '--attr', 'zip="01234"']
  expect((await done('evaluate', 'greeting', ...visitor)).stdout).toMatch(
    /^Value +"Hello"\nVariation +hello\nReason +TARGETING_MATCH\n\n[\s\S]*matched +hello$/m,
  )
  const file = join(desk.home, 'flags.json')
  await writeFile(file, (await done('env', 'datafile')).stdout)
  const offline = await desk.svc(['evaluate', 'greeting', ...visitor, '--datafile', file, '--json'], {
    env: { SVC_URL: '', SVC_TOKEN: '' },
  })
  const [byService] = (await json('evaluate', 'greeting', ...visitor)).flags
  const [byFile] = JSON.parse(offline.stdout).flags
  for (const field of ['flagKey', 'value', 'variationKey', 'reason', 'errorCode'])
    expect(byFile[field]).toEqual(byService[field])
  expect((await done('evaluate', '--all', '--key', 'u-1')).stdout).toMatch(/^greeting +"Hi" +hi +DEFAULT$/m)
  expect((await json('evaluate', 'greeting', '--key', 'u-1', '--draft')).revision).toBeNull()
  expect((await fails('evaluate', 'nothing', '--key', 'u')).exitCode).toBe(4)
  expect((await fails('evaluate', 'nothing', '--datafile', file)).exitCode).toBe(4)
  expect((await fails('evaluate', '--key', 'u')).exitCode).toBe(2)
})

it('webhooks: created with a secret, pinged, listed, rotated and deleted', async () => {
  const endpoint = 'https://localhost:1/svc'
  const created = await done(
    'webhook',
    'create',
    '--name',
    'Release log',
    '--endpoint',
    endpoint,
    '--event',
    'flag.created',
  )
  expect(created.stdout).toMatch(/^Secret +[0-9a-f]{64}$/m)
  expect(await fails('webhook', 'create', '--name', 'x', '--endpoint', endpoint)).toMatchObject({ exitCode: 2 })
  await done('webhook', 'set', 'Release log', '--event', 'flag.created', '--event', 'flag.published')
  expect((await done('webhook', 'list')).stdout).toMatch(
    /^release-log +Release log +https:\/\/localhost:1\/svc +yes +flag.created, flag.published +0$/m,
  )
  const ping = await desk.svc(['webhook', 'test', 'Release log'])
  expect(ping).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The receiver did not accept the test ping (failed).'),
  })
  const [delivery] = await json('webhook', 'deliveries', 'Release log', '--event', 'webhook.test', '--since', '1h')
  expect((await done('webhook', 'deliveries', 'Release log')).stdout).toMatch(
    /^ID +EVENT +STATUS +ATTEMPTS +ANSWER +NEXT\n/,
  )
  await done('flag', 'create', 'told')
  await expect.poll(() => json('webhook', 'deliveries', 'Release log', '--event', 'flag.created')).toHaveLength(1)
  expect(delivery.eventType).toBe('webhook.test')
  expect((await done('webhook', 'replay', 'Release log', '--since', '1h', '--all')).stderr).toMatch(
    /^\d+ deliver(y is|ies are) sent again.\n$/,
  )
  const [told] = await json('webhook', 'deliveries', 'Release log', '--event', 'flag.created')
  await done('webhook', 'set', 'Release log', '--enabled', 'no')
  expect(await desk.svc(['webhook', 'retry', 'Release log', told.id])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Only a failed delivery can be retried; this one is PENDING'),
  })
  expect((await done('webhook', 'rotate', 'Release log')).stdout).toMatch(/^[0-9a-f]{64}\n$/)
  await done('webhook', 'delete', 'Release log', '--yes')
  expect((await fails('webhook', 'get', 'Release log')).exitCode).toBe(4)
})

it('destinations: secrets from files and the terminal, previewed, tested, changed and deleted', async () => {
  const secret = 'https://localhost:1/services/T0/abcdefghWxYz'
  const file = join(desk.home, 'url.txt')
  await writeFile(file, `${secret}\n`)
  const create = ['destination', 'create', '--name', '#releases', '--kind', 'SLACK', '--event', 'flag.created']
  const refused = await fails(...create, '--field', `url=${secret}`)
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Use --secret url=FILE') })
  expect(await fails(...create)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs its url') })
  const made = await done(...create, '--secret', `url=${file}`, '--only', 'production')
  expect(made).toEqual({ stdout: '', stderr: 'The destination releases "#releases" is created.\n' })
  expect((await done('destination', 'list', '--kind', 'SLACK')).stdout).toMatch(
    /^KEY +NAME +KIND +ENABLED +EVENTS +FAILURES\nreleases +#releases +SLACK +yes +flag.created +0\n$/,
  )
  const shown = (await done('destination', 'get', '#releases')).stdout
  expect(shown).toMatch(/^url +https:\/\/localhost:1\/…WxYz$/m)
  expect(shown).toMatch(/^Environments +production$/m)
  const { config } = await json('destination', 'set', '#releases', '--only', 'all', '--enabled', 'yes')
  expect(config).toEqual({ url: 'https://localhost:1/…WxYz' })

  const preview = await done('destination', 'preview', '#releases', '--event', 'flag.created')
  expect(preview.stdout).toMatch(/^POST .*\n(?:[a-z-]+: .*\n)*\n\{\n/)
  expect(preview.stdout).not.toContain('abcdefghWxYz')
  const issue = await json(
    'destination',
    'preview',
    '--kind',
    'GITHUB',
    '--field',
    'owner=acme',
    '--field',
    'repo=shop',
    '--secret',
    `token=${file}`,
  )
  expect(issue.event).toBe('flag.published')
  expect((await fails('destination', 'preview', '--event', 'flag.created')).exitCode).toBe(2)

  expect(await desk.svc(['destination', 'test', '#releases'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The receiver did not accept the test ping (failed).'),
  })
  await done('flag', 'create', 'told-in-chat')
  const told = () => json('destination', 'deliveries', '#releases', '--event', 'flag.created')
  await expect.poll(told).toHaveLength(1)
  const [{ id }] = await told()
  expect((await json('destination', 'preview', '#releases', '--delivery', id)).event).toBe('flag.created')
  expect((await done('destination', 'replay', '#releases', '--since', '1h', '--all')).stderr).toMatch(/sent again/)
  await done('destination', 'set', '#releases', '--enabled', 'no')
  expect((await fails('destination', 'retry', '#releases', id)).stderr).toContain('Only a failed delivery')
  await done('destination', 'delete', '#releases', '--yes')
  expect(await fails('destination', 'get', '#releases')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('Destination "#releases" was not found'),
  })

  const terminal = desk.terminal(create)
  await terminal.sees('url (not shown):')
  terminal.type(`${secret}\r`)
  const asked = await terminal.ended
  expect(asked.exitCode).toBe(0)
  expect(asked.shown).not.toContain('WxYz')
  const signed = await done(
    'destination',
    'create',
    '--name',
    'Signed',
    '--kind',
    'TEMPLATE',
    '--event',
    'flag.created',
    '--field',
    'sign=true',
    '--field',
    'body={"text":"{{event}}"}',
    '--secret',
    `url=${file}`,
  )
  expect(signed.stdout).toMatch(/^Secret +[0-9a-f]{64}$/m)
})

it('webhook listen prints what happens from now on, and forwards it signed, until Ctrl-C', async () => {
  const received: { body: string; headers: IncomingHttpHeaders }[] = []
  const receiver = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers })
    response.writeHead(202).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const terminal = desk.terminal(['webhook', 'listen', '--forward', forward])
  await terminal.sees('Forwarded events are signed with the secret ')
  await service.call('POST', '/api/v1/projects/web-shop/segments', { name: 'Heard' })
  await terminal.sees('segment.created  heard  202')
  terminal.type('\u0003')
  const { exitCode, shown } = await terminal.ended
  expect(exitCode).toBe(0)
  expect(shown).not.toContain('flag.created')
  const [secret] = /[0-9a-f]{64}/.exec(shown)!
  const [{ body, headers }] = received as [(typeof received)[0]]
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({
    event: 'segment.created',
    payload: { segment: { name: 'Heard' } },
  })

  const sent = await done('webhook', 'sample', 'flag.published', '--forward', forward)
  expect(sent).toEqual({ stdout: 'flag.published  202\n', stderr: `Signed with the secret ${secret}\n` })
  const sample = JSON.parse((await done('webhook', 'sample', 'flag.published')).stdout)
  const { id, project, environment, flags } = sample
  expect(sample.event).toBe('flag.published')
  expect(new Set([id, project.id, environment.id, flags[0].id]).size).toBe(4)
  expect([flags[0].before.rules[0].traffic, flags[0].after.rules[0].traffic]).toEqual([2500, 5000])
  expect((await fails('webhook', 'sample', 'flag.eaten')).exitCode).toBe(4)
  receiver.close()

  const port = await freePort()
  const local = desk.terminal(['webhook', 'listen', '--port', String(port)], { env: { SVC_WEBHOOK_SECRET: secret } })
  await local.sees('Waiting for deliveries on')
  const here = `http://127.0.0.1:${port}/`
  expect((await done('webhook', 'sample', 'flag.created', '--forward', here)).stdout).toBe('flag.created  204\n')
  await local.sees('verified  flag.created')
  expect((await fetch(here, { method: 'POST', body: '{}' })).status).toBe(401)
  await local.sees('refused  missing_header')
  local.type('\u0003')
  expect((await local.ended).exitCode).toBe(0)
})

it('audit and events: who did what, filtered, exported and followed', async () => {
  await done('flag', 'create', 'audited')
  const [entry] = await json('audit', 'list', '--action', 'flag.create', '--search', 'audited', '--since', '1h')
  expect(entry).toMatchObject({ action: 'flag.create', object: { name: 'Audited' } })
  expect((await done('audit', 'list', '--actor', entry.actor.id, '--limit', '1')).stdout).toMatch(
    /^TIME +WHO +DID +WHAT\n.* created the flag +Audited\n$/,
  )
  expect((await done('audit', 'list', '--actor', 'system', '--action', 'flag.')).stderr).toBe('No entry matches.\n')
  expect((await done('audit', 'export', '--action', 'flag.create')).stdout.split('\n')[0]).toContain('action')
  const lines = (await done('audit', 'export', '--format', 'ndjson', '--action', 'flag.create')).stdout
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line).action)).toContain('flag.create')

  expect((await json('events', 'list', '--event', 'flag.created')).at(-1)).toMatchObject({
    event: 'flag.created',
    flag: { key: 'audited' },
  })
  const happened = await json('events', 'list')
  expect(await json('events', 'list', '--limit', '2')).toEqual(happened.slice(-2))
  expect((await done('events', 'list', '--event', 'project.created')).stdout).toMatch(
    /^SEQ +TIME +EVENT +ABOUT\n.+ project.created +Web shop\n$/,
  )
  expect((await done('events', 'list', '--since', '2999-01-01')).stderr).toBe('No event matches.\n')

  expect(await json('events', 'list', '--actor', entry.actor.name, '--event', 'flag.created')).not.toEqual([])
  expect(await json('events', 'list', '--actor', 'nobody')).toEqual([])
  const [log, feed] = [desk.terminal(['audit', 'list', '--follow']), desk.terminal(['events', 'list', '--follow'])]
  await Promise.all([log.sees('Waiting for entries.'), feed.sees('Waiting for events.')])
  await done('flag', 'create', 'followed')
  await Promise.all([log.sees('created the flag  Followed'), feed.sees('flag.created  followed')])
  for (const terminal of [log, feed]) {
    terminal.type('\u0003')
    expect((await terminal.ended).exitCode).toBe(0)
  }
})

it('doctor finds what is wrong between here and the service', async () => {
  const { stdout } = await done('doctor')
  expect(stdout).toContain(`url      ${service.url} (SVC_URL)\n`)
  expect(stdout).toContain('token    known, from SVC_TOKEN\n')
  expect(stdout).not.toContain(token)
  for (const name of ['encryption', 'clock', 'version', 'address', 'token', 'project', 'stream', 'environment'])
    expect(stdout).toMatch(new RegExp(`^(ok|warning) +${name}: `, 'm'))
  const { checks } = await json('doctor')
  expect(checks.filter(({ status }: { status: string }) => status === 'failed')).toEqual([])
  const wrong = await desk.svc(['doctor', '-p', 'nowhere'])
  expect(wrong).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^failed +project: /m) })
  const away = await desk.svc(['doctor', '--url', `http://127.0.0.1:${await freePort()}`])
  expect(away).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^failed +address: .*does not answer: ECONNREFUSED/m),
  })
})

it('open prints the address of a flag, which the dashboard knows', async () => {
  expect((await done('open', 'checkout')).stdout).toBe(`${service.url}/projects/web-shop/flags/checkout\n`)
  expect(await json('open')).toEqual({ url: `${service.url}/projects/web-shop/flags` })
})

describe('completion in a shell', () => {
  let env: Record<string, string | undefined>
  /** The file of a completion script, as its shell would read it. */
  const scriptFor = async (shell: string) => {
    const script = join(desk.home, `svc.${shell}`)
    await writeFile(script, (await done('completion', shell)).stdout)
    return script
  }
  beforeAll(async () => {
    const program = `#!/bin/sh\nexec '${process.execPath}' '${root}packages/cli/svc.js' "$@"\n`
    await writeFile(join(desk.home, 'svc'), program, { mode: 0o755 })
    env = { ...cleanEnvironment(desk.env), HOME: desk.home, PATH: `${desk.home}:${process.env.PATH}` }
  })

  const asked: [string[], string[]][] = [
    [['fl'], ['flag']],
    [['flag', 'un'], ['unarchive']],
    [['flag', 'get', 'chec'], ['checkout']],
    [
      ['flag', 'run', 'checkout', '-e', ''],
      ['development', 'production'],
    ],
  ]

  it('bash: commands, options and the keys of the project', async () => {
    const script = await scriptFor('bash')
    const complete = async (...words: string[]) => {
      const ask = `source '${script}'; COMP_WORDS=(svc "$@"); COMP_CWORD=$#; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await execute('bash', ['-c', ask, 'bash', ...words], { env })
      return stdout.trim().split('\n')
    }
    for (const [words, found] of asked) expect(await complete(...words)).toEqual(found)
    expect(await complete('audience', 'get', 'b')).toEqual(['beta'])
  })

  it('fish: the same', async () => {
    const script = await scriptFor('fish')
    const lines = asked.map(([words]) => `complete --do-complete '${['svc', ...words].join(' ')}'`)
    const { stdout } = await execute('fish', ['--no-config', '--command', [`source ${script}`, ...lines].join('\n')], {
      env,
    })
    expect(stdout.trim().split('\n')).toEqual(asked.flatMap(([, found]) => found))
  })

  it('zsh: a word that is typed is completed by Tab', async () => {
    const script = await scriptFor('zsh')
    // A marker shows when the shell reads the keyboard.
    const lines = ['autoload -Uz compinit', 'compinit -u -D', `source '${script}'`, "PROMPT='ready> '"]
    await writeFile(join(desk.home, '.zshrc'), lines.join('\n'))
    const home = openDesk({ ...desk.env, HOME: desk.home, ZDOTDIR: desk.home, PATH: env.PATH! }, ['zsh', '-i'])
    const terminal = home.terminal([], { cwd: desk.home })
    try {
      await terminal.sees('ready> ')
      terminal.type('svc flag get chec\t')
      await terminal.sees('checkout')
      // The completed line is what runs.
      terminal.type('\r')
      await terminal.sees('Default')
      terminal.type('exit\r')
      expect((await terminal.ended).exitCode).toBe(0)
    } finally {
      home.remove()
    }
  })

  it('PowerShell has a script too, and other shells have none', async () => {
    expect((await done('completion', 'powershell')).stdout).toContain('svc __complete')
    expect((await fails('completion', 'cmd')).exitCode).toBe(2)
  })
})

it('an error names what was not found, and where it is explained', async () => {
  const { exitCode, stderr } = await fails('flag', 'run', 'no-such-flag')
  expect(exitCode).toBe(4)
  const [first, second] = stderr.split('\n')
  expect(first).toMatch(/^svc: Flag "no-such-flag" was not found\. The project has .+ \(not_found\)\.$/)
  expect(second).toMatch(new RegExp(`^request [0-9a-f-]{36}  ${service.url}/docs/errors#not_found$`))
  expect((await fails('flag', 'list', '-p', 'nowhere')).stderr).toContain('Project "nowhere" was not found')
  expect((await fails('flag', 'run', 'page-size', '-e', 'moon')).stderr).toContain(
    'Environment "moon" was not found. The project has ',
  )
  expect((await fails('flag', 'run', 'page-siez')).stderr).toContain('Did you mean "page-size"? (not_found)')
})

it('a list has all pages, or as many as asked for', async () => {
  const csv = join(desk.home, 'many.csv')
  await writeFile(csv, Array.from({ length: 120 }, (_, at) => `many-${at}\n`).join(''))
  await done('segment', 'create', '--name', 'Many')
  await done('segment', 'upload', 'many', csv)
  expect(await json('segment', 'members', 'many')).toHaveLength(120)
  expect(await json('segment', 'members', 'many', '--limit', '3')).toHaveLength(3)
  const path = '/api/v1/projects/web-shop/segments/many/members?limit=50'
  expect(JSON.parse((await done('api', 'GET', path, '--paginate')).stdout).data).toHaveLength(120)
})

it('a token without the scope to write is refused with exit code 3', async () => {
  const { exitCode, stderr } = await desk.svc(['flag', 'list'], { env: { SVC_TOKEN: 'svc_svc_wrong' } })
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringContaining('(unauthorized).') })
})

it('the commands of the guide do what it says', async () => {
  const { SVC_URL, SVC_TOKEN } = desk.env
  await service.call('POST', '/api/v1/projects', { name: 'Guide', key: 'guide' })
  const door = await openSvcDoor()
  const shell = openShell({
    SVC_URL: SVC_URL!,
    SVC_TOKEN: SVC_TOKEN!,
    SVC_PROJECT: 'guide',
    SVC_ENV: 'development',
    ...door.env,
  })
  try {
    const blocks = codeBlocks(await readFile(join(root, 'docs/cli.md'), 'utf8')).filter(
      ({ language }) => language === 'sh',
    )
    for (const { text } of blocks) await shell.run(text)
    expect(blocks.length).toBeGreaterThan(4)
  } finally {
    shell.close()
    await door.close()
  }
})
