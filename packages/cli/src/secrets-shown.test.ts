import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Asked, startAnswering } from '../testing/answering.ts'
import { type Desk, openDesk } from '../testing/run-svc.ts'

const page = { nextCursor: null, hasMore: false }
const sent = { id: 'd-1', key: 'log', name: 'Log', events: [], unconfirmed: [], consecutiveFailures: 0 }
const ingestKey = { id: 'i-1', lastCharacters: 'k3Qd', createdBy: { name: 'Ada' } }
const signing = { ...sent, kind: 'TEMPLATE', config: { sign: true } }

let list: object[]
let read: object
let written: object
let service: Awaited<ReturnType<typeof startAnswering>>
let desk: Desk

beforeAll(async () => {
  service = await startAnswering(({ method, path }: Asked) => {
    const body = method !== 'GET' ? { data: written } : path.endsWith('/d-1') ? { data: read } : { data: list, page }
    return { headers: { etag: '"1"' }, body }
  })
})
afterAll(() => service.close())
beforeEach(() => {
  desk = openDesk({ SVC_URL: service.url, SVC_TOKEN: 'svc_svc_secret', SVC_PROJECT: 'shop', SVC_ENV: 'production' })
})
afterEach(() => desk.remove())

const createWebhook = ['webhook', 'create', '--name', 'Log', '--endpoint', 'https://x.test', '--event', 'flag.created']
const createTemplate = ['destination', 'create', '--name', 'Log', '--kind', 'TEMPLATE', '--field', 'sign=true']

it.each([
  [['ingest-key', 'create'], ingestKey, 'revoke it with svc ingest-key revoke k3Qd, and create another one'],
  [createWebhook, sent, 'run svc webhook rotate log'],
  [['webhook', 'rotate', 'log'], sent, 'run svc webhook rotate log again'],
  [
    [...createTemplate, '--secret', 'url=-', '--event', 'flag.created'],
    signing,
    'svc destination set log --field sign=true',
  ],
])('%j fails if the answer with the secret was lost, and says what to do', async (args, answered, advice) => {
  list = [sent]
  written = { ...answered, secret: null }
  for (const more of [[], ['--json']]) {
    const { exitCode, stdout, stderr } = await desk.svc([...args, ...more], { input: 'https://x.test' })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('lost, and it cannot be shown again. To get one, ')
    expect(stderr).toContain(advice)
  }
})

it.each([
  ['begins to sign', { sign: false }, 1],
  ['signs as before', { sign: true }, 0],
])('a change of a destination that %s has a lost secret only if it got a new one', async (_what, config, code) => {
  list = [signing]
  read = { ...signing, config }
  written = { ...signing, secret: null }
  const { exitCode, stderr } = await desk.svc(['destination', 'set', 'log', '--field', 'sign=true'])
  expect(exitCode).toBe(code)
  expect(stderr.includes('secret was lost')).toBe(code === 1)
})

it('an apply that lost the secret of a webhook fails after its last step, and says what to do', async () => {
  list = []
  read = { id: 'p-1', key: 'shop', environments: [] }
  written = { ...sent, secret: null }
  const file = 'version: 1\nwebhooks:\n  log: { name: Log, url: "https://x.test", events: [flag.created] }\n'
  const { exitCode, stderr } = await desk.svc(['apply', '-', '--yes', '--secrets-out', 'out.json'], { input: file })
  expect(stderr).toContain('Created webhook log')
  expect(stderr).toContain('out.json lacks the secrets of webhooks.log')
  expect(exitCode).toBe(1)
})

const bytes = 'put-the-32-random-bytes-of-your-key-in-k3Qd'

it.each([
  [['ingest-key', 'revoke', `svc_ing_${bytes}`, '--yes'], 'production has no ingest key k3Qd'],
  [['ingest-key', 'revoke', '…k3Qd', '--yes'], 'production has no ingest key k3Qd'],
  [['sdk-key', 'revoke', `svc_ing_${bytes}`, '--yes'], 'production has no SDK key svc_ing_…k3Qd'],
  [['webhook', 'get', `svc_svc_${bytes}`], 'svc_svc_…k3Qd'],
  [['flag', 'delete', `svc_pat_${bytes}`], 'svc_pat_…k3Qd'],
  [['ingest-key', 'require', `svc_ing_${bytes}`], 'got svc_ing_…k3Qd'],
  [[`svc_ing_${bytes}`], '"svc_ing_…k3Qd" is not a command'],
])('%j does not repeat a secret that was given by mistake', async (args, message) => {
  list = []
  for (const more of [[], ['--json'], ['--verbose']]) {
    const { exitCode, stdout, stderr } = await desk.svc([...args, ...more])
    expect([exitCode === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(more[0] === '--json' ? JSON.stringify(message).slice(1, -1) : message)
    expect(stderr).not.toContain('random-bytes')
  }
})
