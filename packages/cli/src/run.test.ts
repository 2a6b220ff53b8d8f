import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Answer, type Asked, type Reply, startAnswering } from '../testing/answering.ts'
import { type Desk, openDesk } from '../testing/run-svc.ts'

const me = {
  data: {
    type: 'SERVICE_TOKEN',
    id: 'i',
    name: 'CI',
    organization: { id: 'o', shortId: 1, name: 'Shop Ltd' },
    organizations: [],
    user: null,
    role: null,
    scopes: ['flags:read'],
  },
}
let answer: (asked: Asked, count: number) => Reply
let service: Awaited<ReturnType<typeof startAnswering>>
let desk: Desk

beforeAll(async () => {
  service = await startAnswering((asked, count) => answer(asked, count))
})
afterAll(() => service.close())
beforeEach(() => {
  answer = () => ({ body: me })
  service.asked.splice(0)
  desk = openDesk({ SVC_URL: service.url })
})
afterEach(() => desk.remove())

const refusal = (code: string, message: string) => ({
  error: { code, message, docUrl: `http://svc.test/docs/errors#${code}`, requestId: 'r-1', details: { x: 1 } },
})
const authorized = { SVC_TOKEN: 'svc_svc_secret' }

it('an error goes to standard error, with code, request id and link, and nothing to standard output', async () => {
  answer = () => ({ status: 409, body: refusal('invalid_state', 'The flag runs.') })
  const run = (...more: string[]) => desk.svc(['api', 'GET', '/api/v1/me', ...more], { env: authorized })
  expect(await run()).toEqual({
    exitCode: 5,
    stdout: '',
    stderr: 'svc: The flag runs (invalid_state).\nrequest r-1  http://svc.test/docs/errors#invalid_state\n',
  })
  const { stdout, stderr } = await run('--json')
  expect(stdout).toBe('')
  expect(stderr.split('\n')).toHaveLength(2)
  expect(JSON.parse(stderr)).toEqual({ error: { ...refusal('invalid_state', 'The flag runs.').error, status: 409 } })
})

it.each([
  [['flag', 'list', '--tga', 'x'], '--tga is not an option of svc flag list. Did you mean --tag? (usage)'],
  [['flga'], '"flga" is not a command. Did you mean svc flag? (usage)'],
  [['--tga', 'x', 'flag', 'list'], '--tga is not an option of svc. See svc --help (usage).'],
  [['--token', 'svc_svc_x', 'flag', 'list'], 'svc: There is no option for the token: other users'],
  [['flag', 'list', '--token=svc_svc_x'], 'svc: There is no option for the token: other users'],
  [['env', 'get', 'production'], 'one argument too many: svc env get. Name the environment with --env (usage).'],
  [['flag'], 'svc flag needs a verb: list, get,'],
  [['flag', '--tga'], '--tga is not an option of svc flag.'],
  [['flag', 'list'], 'A project is required. Use --project, or set SVC_PROJECT or "project" in svc.json (usage).'],
  [
    ['config'],
    'svc config is now a command of the operator: run svc-server config on the machine of the service (usage).',
  ],
  [['audit', 'verify'], 'run svc-server audit verify'],
  [['reset-link', 'ada@shop.test'], 'run svc-server reset-link'],
  [['flag', 'delete', 'x', '-p', 'shop'], 'Add --yes to confirm (usage).'],
  [['api', 'GET', 'api/v1/me'], 'A path must begin with a slash'],
  [['api', 'LIST', '/x'], 'METHOD must be GET, HEAD, POST, PUT, PATCH, DELETE (got LIST) (usage).'],
  [['rule', 'add', 'x', '--variation', '', '-p', 's', '-e', 'e'], '--variation must not be empty (usage).'],
  [['api', 'POST', '/x', '-f', 'none.json'], 'none.json cannot be read (ENOENT) (file_invalid).'],
  [['flag', 'variations', 'x', '-p', 's', '-f', '-'], 'Standard input is not valid JSON'],
])('%j is a mistake of the caller: exit code 2', async (args, message) => {
  const { exitCode, stdout, stderr } = await desk.svc(args, { env: authorized, input: '{' })
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('svc_svc_')
})

const listOf = (keys: string[], hasMore: boolean) => ({
  body: { data: keys.map((key) => ({ key })), page: { nextCursor: hasMore ? 'c' : null, hasMore } },
})

it('the message about a missing name lists the names that exist', async () => {
  answer = ({ path }) =>
    path.includes('/environments') ? listOf(['production'], false) : listOf(['docs', 'web-shop'], true)
  const project = await desk.svc(['flag', 'list'], { env: authorized })
  expect([project.exitCode, project.stderr]).toEqual([
    2,
    'svc: A project is required. Use --project, or set SVC_PROJECT or "project" in svc.json. The token sees docs, web-shop and more (usage).\n',
  ])
  expect(service.asked.map(({ path }) => path)).toEqual(['/api/v1/projects?limit=10'])
  const env = await desk.svc(['env', 'get', '-p', 'docs'], { env: authorized })
  expect(env.stderr).toContain('An environment is required. Use --env,')
  expect(env.stderr).toContain('The token sees production (usage).')
  answer = () => listOf([], false)
  expect((await desk.svc(['flag', 'list'], { env: authorized })).stderr).toContain('The token sees none (usage).')
})

it('a variable with a wrong name is named', async () => {
  const { stderr } = await desk.svc(['auth', 'status'], { env: { ...authorized, SVC_PROJET: 'shop' } })
  expect(stderr).toContain('SVC_PROJET is not a variable of svc. Did you mean SVC_PROJECT?\n')
})

it('a value that does not fit its type is the first complaint', async () => {
  const args = ['flag', 'create', 'x', '-p', 's', '--type', 'NUMBER', '--variation', 'a=abc']
  const { exitCode, stderr } = await desk.svc(args, { env: authorized })
  expect([exitCode, stderr]).toEqual([
    2,
    'svc: --variation a=abc: the value of a NUMBER flag must be a number, such as 0.25 (usage).\n',
  ])
  expect(service.asked).toEqual([])
})

it('--limit lists the newest events', async () => {
  const stored = Array.from({ length: 500 }, (_, at) => ({
    ...{ seq: at + 1, event: 'flag.created', timestamp: '2026-12-01T09:00:00.000Z', flag: { key: `f${at + 1}` } },
  }))
  answer = ({ path }) => {
    const query = new URL(path, 'http://svc.test').searchParams
    const found = stored.filter(({ seq }) => seq > Number(query.get('after')))
    const data = found.slice(0, Number(query.get('limit')))
    return { body: { data, page: { nextCursor: null, hasMore: found.length > data.length } } }
  }
  const { stdout } = await desk.svc(['events', 'list', '--limit', '2', '-p', 'shop'], { env: authorized })
  expect(stdout.split('\n').flatMap((line) => /f\d+$/.exec(line.trim())?.[0] ?? [])).toEqual(['f499', 'f500'])
  expect(service.asked.length).toBeLessThan(30)
})

it('each fault of a file has a line of its own', async () => {
  const input = 'version: 1\nflags: null\nmetrics: null\n'
  const { stderr } = await desk.svc(['plan', '-', '-p', 'shop'], { env: authorized, input })
  expect(stderr).toBe(
    'svc: Standard input:2:1 flags must be an object, not null.\n' +
      'Standard input:3:1 metrics must be an object, not null (file_invalid).\n',
  )
})

it('a file that is not in UTF-8 is refused', async () => {
  writeFileSync(join(desk.home, 'svc.yaml'), Buffer.from('\ufeffversion: 1\n', 'utf16le'))
  const { exitCode, stderr } = await desk.svc(['plan', 'svc.yaml', '-p', 'shop'], { env: authorized })
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'svc: svc.yaml is not in UTF-8 (file_invalid).\n' })
})

it('a wrong address of the service is not reported as a missing project', async () => {
  answer = () => ({ status: 404, body: refusal('not_found', 'Address not found.') })
  const { exitCode, stderr } = await desk.svc(['flag', 'list', '-p', 'shop'], { env: authorized })
  expect(exitCode).toBe(4)
  expect(stderr).toContain('svc: Address not found (not_found).')
})

it('a missing organization is not reported as a missing project', async () => {
  answer = () => ({ status: 404, body: refusal('not_found', 'Organization not found.') })
  const { exitCode, stderr } = await desk.svc(['flag', 'list', '-p', 'shop', '--org', 'else'], { env: authorized })
  expect(exitCode).toBe(4)
  expect(stderr).toContain('svc: Organization "else" was not found (not_found).')
})

it('a web page in place of an answer is reported as such', async () => {
  answer = () => ({ body: '<h1>Sign in</h1>', headers: { 'content-type': 'text/html' } })
  const { exitCode, stderr } = await desk.svc(['flag', 'list', '-p', 'shop'], { env: authorized })
  expect(exitCode).toBe(1)
  expect(stderr).toContain(
    'answers with a web page. Check that this is the address of Svc, without a sign-in page in between (unreadable)',
  )
  const { stdout } = await desk.svc(['doctor'], { env: authorized })
  expect(stdout).toMatch(/^failed {3}address: .+ answers with a web page\./m)
})

it('the doctor does not take another server for Svc', async () => {
  answer = () => ({ body: { data: 7 } })
  const { stdout } = await desk.svc(['doctor'], { env: authorized })
  expect(stdout).toMatch(/^failed {3}address: .+ answers, but is not Svc\.$/m)
})

it('a file can begin with a byte order mark, and standard input is called by its name', async () => {
  answer = () => ({ body: { data: {} } })
  const create = (input: string) =>
    desk.svc(['metric', 'create', '-p', 'shop', '-f', '-', '--json'], { env: authorized, input })
  expect((await create('\ufeff{ "key": "paid" }')).exitCode).toBe(0)
  expect(await create('[]')).toMatchObject({ stderr: expect.stringContaining('Standard input must be a JSON object.') })
})

it.each([
  [['flag', 'variations', 'x', '-f', '-'], '7', 'Standard input must be a list of variations, or have "variations"'],
  [['evaluate', '--all', '--datafile', '-'], '{}', 'Standard input is not a data file that this version can read'],
  [['destination', 'create', '--kind', 'SLACK', '--secret', 'url=-'], '', '--secret url: standard input is empty'],
  [['plan', '-'], Buffer.from('\ufeffversion: 1', 'utf16le'), 'Standard input is not in UTF-8'],
])('%j calls standard input by its name', async (args, input, message) => {
  answer = () => ({ body: { data: {} }, headers: { etag: '"1"' } })
  const { exitCode, stderr } = await desk.svc([...args, '-p', 'shop'], { env: authorized, input })
  expect([exitCode, stderr]).toEqual([2, `svc: ${message} (file_invalid).\n`])
})

it('a destination names the addresses that have not agreed yet', async () => {
  const destination = {
    id: 'd-1',
    key: 'mail',
    name: 'Mail',
    kind: 'EMAIL',
    config: {},
    events: [],
    unconfirmed: ['a@x.test'],
  }
  answer = ({ path }) => ({
    body: path.includes('?')
      ? { data: [destination], page: { nextCursor: null, hasMore: false } }
      : { data: destination },
  })
  const { stdout } = await desk.svc(['destination', 'get', 'mail', '-p', 'shop'], { env: authorized })
  expect(stdout).toMatch(/^Unconfirmed +a@x\.test$/m)
})

it('a missing credential gives exit code 3, and nothing is sent', async () => {
  const { exitCode, stderr } = await desk.svc(['auth', 'status'])
  expect(exitCode).toBe(3)
  expect(stderr).toContain(
    `There is no token for ${service.url}. Run svc auth login --url ${service.url}, or set SVC_TOKEN`,
  )
  expect(service.asked).toEqual([])
})

it('a service that does not answer gives exit code 1, after some tries', async () => {
  answer = () => 'hang up'
  const { exitCode, stderr } = await desk.svc(['auth', 'status', '--verbose'], { env: authorized })
  expect(exitCode).toBe(1)
  expect(service.asked).toHaveLength(4)
  expect(stderr).toContain(`svc: ${service.url} does not answer: `)
  expect(stderr).toContain('(unreachable).')
})

it('a slow answer is given up after --timeout', async () => {
  answer = () => 'say nothing'
  const { exitCode, stderr } = await desk.svc(['auth', 'status', '--timeout', '200ms'], { env: authorized })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('does not answer: no answer within 200 ms (unreachable).')
})

it('--verbose prints each request on standard error', async () => {
  const { stderr } = await desk.svc(['auth', 'status', '-v'], { env: authorized })
  expect(stderr).toMatch(/^svc: GET http:\S+\/api\/v1\/me 200 request r-1 \d+ ms\n$/)
})

it('api prints the body as it came, and sends headers, body, ETag and a key', async () => {
  answer = () => ({ body: '{"data" : null}' })
  const ran = await desk.svc(
    ['api', 'put', '/api/v1/x', '-f', '-', '-H', 'X-Extra: a:b', '--if-match', '"7"', '--org', '2'],
    {
      env: authorized,
      input: '{"a":1}',
    },
  )
  expect(ran).toEqual({ exitCode: 0, stdout: '{"data" : null}', stderr: '' })
  expect(service.asked).toMatchObject([
    {
      method: 'PUT',
      path: '/api/v1/x',
      body: '{"a":1}',
      headers: {
        authorization: 'Bearer svc_svc_secret',
        'content-type': 'application/json',
        'x-extra': 'a:b',
        'x-svc-if-match': '"7"',
        'svc-org-id': '2',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
  ])
})

it('api --paginate reads all pages and keeps the query', async () => {
  answer = ({ path }) => {
    const second = path.includes('cursor=c%2B1')
    return { body: { data: [second ? 2 : 1], page: { nextCursor: second ? null : 'c+1', hasMore: !second } } }
  }
  const { stdout } = await desk.svc(['api', 'GET', '/api/v1/flags?limit=1', '--paginate'], { env: authorized })
  expect(JSON.parse(stdout)).toEqual({ data: [1, 2], page: { nextCursor: null, hasMore: false } })
  expect(service.asked.map(({ path }) => path)).toEqual(['/api/v1/flags?limit=1', '/api/v1/flags?limit=1&cursor=c%2B1'])
})

it('auth login keeps the token of standard input for its address, and the first address as the default', async () => {
  const { SVC_URL: url, ...env } = desk.env
  const elsewhere = openDesk(env)
  try {
    const login = await elsewhere.svc(['auth', 'login', '--url', url!], { input: 'svc_svc_secret\nmore\n' })
    expect(login).toMatchObject({ exitCode: 0, stdout: '' })
    expect(login.stderr).toBe(`The token "CI" is stored for ${url}. It belongs to Shop Ltd.\n`)
    expect(service.asked[0]?.headers.authorization).toBe('Bearer svc_svc_secret')
    const folder = join(elsewhere.home, '.config/svc')
    expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toEqual({ url })
    expect(JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))).toEqual({
      [url!]: { token: 'svc_svc_secret', name: 'CI', org: null },
    })
    const status = await elsewhere.svc(['auth', 'status'])
    expect(status.stdout).toContain(`Address       ${url} (${join(folder, 'config.json')})`)
    expect(status.stdout).not.toContain('svc_svc_secret')
    expect((await elsewhere.svc(['auth', 'logout'])).exitCode).toBe(0)
    expect((await elsewhere.svc(['auth', 'status'])).exitCode).toBe(3)
    expect((await elsewhere.svc(['auth', 'logout'])).exitCode).toBe(4)
  } finally {
    elsewhere.remove()
  }
})

it('auth login refuses an empty token with 2 and a wrong one with 3, and keeps neither', async () => {
  expect((await desk.svc(['auth', 'login'], { input: '\n' })).exitCode).toBe(2)
  expect((await desk.svc(['auth', 'login', '--token-file', '-'], { input: '' })).exitCode).toBe(2)
  answer = () => ({ status: 401, body: refusal('unauthorized', 'The token is not valid.') })
  expect((await desk.svc(['auth', 'login'], { input: 'wrong\n' })).exitCode).toBe(3)
  expect((await desk.svc(['auth', 'status'])).stderr).toContain('(no_credentials)')
})

it('on a terminal, auth login asks for the token without showing it', async () => {
  const terminal = desk.terminal(['auth', 'login'])
  await terminal.sees('Token (not shown):')
  terminal.type('svc_svc_wrong\u0015svc_svc_secreX\u007ft\r')
  const { exitCode, shown } = await terminal.ended
  expect({ exitCode, shown }).toEqual({ exitCode: 0, shown: expect.stringContaining('The token "CI" is stored') })
  expect(shown).not.toContain('svc_svc')
  expect(service.asked[0]?.headers.authorization).toBe('Bearer svc_svc_secret')
})

it('Ctrl-C at a question ends with 130', async () => {
  for (const args of [
    ['auth', 'login'],
    ['flag', 'delete', 'x', '-p', 'shop'],
  ]) {
    const terminal = desk.terminal(args, { env: authorized })
    await terminal.sees(args[0] === 'auth' ? 'Token' : '[y/N]')
    terminal.type('\u0003')
    expect((await terminal.ended).exitCode).toBe(130)
  }
  expect(service.asked).toEqual([])
})

it('a deletion asks on a terminal: yes deletes, anything else ends with 1', async () => {
  answer = () => ({ body: { data: null } })
  const ask = async (typed: string) => {
    const terminal = desk.terminal(['flag', 'delete', 'x', '-p', 'shop'], { env: authorized })
    await terminal.sees('Delete the flag x forever? [y/N]')
    terminal.type(typed)
    return terminal.ended
  }
  for (const typed of ['\r', 'no\r', '\u0004']) expect(await ask(typed)).toMatchObject({ exitCode: 1 })
  expect(service.asked).toEqual([])
  expect(await ask('y\r')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('The flag x is deleted.') })
  expect((await desk.svc(['flag', 'delete', 'x', '-p', 'shop', '--yes', '--json'], { env: authorized })).stdout).toBe(
    'null\n',
  )
  const asked = await desk.terminal(['flag', 'delete', 'x', '-p', 'shop', '--no-input'], { env: authorized }).ended
  expect(asked.exitCode).toBe(2)
})

it('colors appear only on a terminal, and NO_COLOR, TERM=dumb and --no-color turn them off', async () => {
  const args = ['auth', 'status']
  // Not the code that erases a line, with which the sign of a slow answer goes away.
  const paint = expect.stringMatching(/\u001b\[[\d;]*m/)
  const shown = async (more: string[], env: Record<string, string>) =>
    (await desk.terminal([...args, ...more], { env: { ...authorized, ...env } }).ended).shown
  expect(await shown([], {})).toEqual(paint)
  expect(await shown([], { NO_COLOR: '1' })).not.toEqual(paint)
  expect(await shown([], { TERM: 'dumb' })).not.toContain('\u001b')
  expect(await shown(['--no-color'], {})).not.toEqual(paint)
  expect((await desk.svc(args, { env: authorized })).stdout).not.toEqual(paint)
})

it('help comes on standard output for every command, without settings', async () => {
  const broken = { SVC_URL: 'nonsense' }
  for (const args of [
    [],
    ['help'],
    ['help', 'flag'],
    ['flag', 'list', '--help'],
    ['help', 'flag', 'create'],
    ['api', '-h'],
    ['--version'],
  ]) {
    const { exitCode, stdout, stderr } = await desk.svc(args, { env: broken })
    expect({ exitCode, stderr, lines: stdout.split('\n').length > 1 }).toEqual({ exitCode: 0, stderr: '', lines: true })
  }
})

it.each([
  ['flag', 'svc flag: create, change'],
  ['experiment', 'svc experiment: A/B tests,'],
])('help of %s goes on after the colon as a sentence does', async (group, start) => {
  expect((await desk.svc(['help', group])).stdout).toContain(start)
})

it('--watch draws again on a terminal when something has changed, until Ctrl-C', async () => {
  let members = 1
  const segment = () => ({
    shortId: 1,
    name: 'VIP',
    description: null,
    count: members,
    updatedAt: '2026-12-01T08:00:00.000Z',
  })
  answer = () => ({ body: { data: segment() } })
  const terminal = desk.terminal(['segment', 'get', '1', '-p', 'shop', '--watch', '--no-color'], { env: authorized })
  await terminal.sees('Members  1')
  members = 2
  await terminal.sees('Members  2')
  terminal.type('\u0003')
  const { exitCode, shown } = await terminal.ended
  expect(exitCode).toBe(0)
  expect(shown.split('\u001b[2J\u001b[H')).toHaveLength(3)
})

it('values of a dimension, which visitors send, cannot steer the terminal or pass for all others', async () => {
  const texts = ['\u001b[2Jred', 'a\nb', ' ', '(other)'].map((value) => ({ value, kind: 'VALUE' }))
  const values = [...texts, { value: '(other)', kind: 'OTHER' }].map((each) => ({ ...each, units: 1, metrics: [] }))
  const found = {
    ...{ dataThrough: null, runtimeDays: 0, ruleStatus: 'RUNNING', recommendation: null, progress: null, metrics: [] },
    ...{ units: { total: 3, variations: [], excluded: {} }, health: { status: 'OK', checks: [] } },
    dimension: { name: 'browser', values },
  }
  answer = () => ({ body: { data: found } })
  const asked = ['results', '1', '-p', 'shop', '--dimension', 'browser']
  const { stdout } = await desk.svc(asked, { env: authorized })
  const names = ['\uFFFD[2Jred', 'a b', '(blank)', '"(other)"', '(other)']
  expect(stdout.match(/^browser: .*$/gm)).toEqual(names.map((name) => `browser: ${name}`))
})

it('ids of visitors cannot steer the terminal, and a pipe gets them as they are', async () => {
  answer = ({ method }) =>
    method === 'GET'
      ? { body: { data: ['\u001b[2Jred'], page: { nextCursor: null, hasMore: false } } }
      : { body: { data: { name: '\u001b[2JVIP', count: 1 } } }
  const asked = ['segment', 'members', 'vip', '-p', 'shop']
  expect((await desk.svc(asked, { env: authorized })).stdout).toBe('\u001b[2Jred\n')
  expect((await desk.terminal(asked, { env: authorized }).ended).shown).toContain('\uFFFD[2Jred')
  const { stderr } = await desk.svc(['segment', 'add', 'vip', 'u-1', '-p', 'shop'], { env: authorized })
  expect(stderr).toBe('The segment "\uFFFD[2JVIP" has 1 member.\n')
})

it('--watch --json prints each new state in a line, and asks for results only if they have changed', async () => {
  let asked = 0
  answer = ({ headers }) => {
    asked += 1
    if (headers['if-none-match'] === '"1"' && asked < 4) return { status: 304 }
    return { body: { data: { runtimeDays: asked } }, headers: { etag: '"1"' } }
  }
  const terminal = desk.terminal(['results', '1', '-p', 'shop', '--watch', '--json'], { env: authorized })
  await terminal.sees('{"runtimeDays":4}')
  terminal.type('\u0003')
  const { exitCode, shown } = await terminal.ended
  expect(exitCode).toBe(0)
  expect(shown.split(/\r?\n/).filter((line) => line.startsWith('{'))).toEqual([
    '{"runtimeDays":1}',
    '{"runtimeDays":4}',
  ])
})

it('a slow answer shows a sign on a terminal, which goes away', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  answer = () => promise
  const terminal = desk.terminal(['auth', 'status'], { env: authorized })
  await terminal.sees('Waiting for the service (0 s)')
  resolve({ body: me })
  const { exitCode, shown } = await terminal.ended
  expect(exitCode).toBe(0)
  expect(shown).toMatch(/Waiting for the service \(\d s\)\r\u001b\[K.*Address/)
})

it('an override that somebody else changes all the time is given up with 5 after three tries', async () => {
  const data = { environmentAllowlist: [], ruleAllowlists: [], live: null, staged: false }
  answer = ({ method }, count) =>
    method === 'GET'
      ? { body: { data }, headers: { etag: `"${count}"` } }
      : { status: 412, body: refusal('precondition_failed', 'Somebody else changed the flag.') }
  const { exitCode } = await desk.svc(['override', 'add', 'x', 'on', 'u', '-p', 'shop', '-e', 'prod'], {
    env: authorized,
  })
  expect(exitCode).toBe(5)
  const sent = service.asked.filter(({ method }) => method === 'PUT')
  expect(sent.map(({ headers }) => headers['x-svc-if-match'])).toEqual(['"1"', '"3"', '"5"'])
})

it.each([
  ['webhook', 'listen'],
  ['events', 'list', '--follow'],
])('%s %s does not say that it waits if the service refuses the call', async (...command) => {
  answer = ({ path }) =>
    path.includes('event=nope')
      ? { status: 400, body: refusal('validation_failed', 'event must be one of flag.created.') }
      : { body: { data: [], page: { nextCursor: null, hasMore: false } } }
  const ran = await desk.svc([...command, '--event', 'nope', '-p', 'shop'], { env: authorized })
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^svc: event must be one of flag\.created/) })
})

it('svc completes the value of an option that is still empty', async () => {
  answer = () => ({ body: { data: { environments: [{ key: 'production' }, { key: 'staging' }] } } })
  const { stdout } = await desk.svc(['__complete', 'flag', 'run', 'x', '-p', 'shop', '-e', ''], { env: authorized })
  expect(stdout).toBe('production\nstaging\n')
})
