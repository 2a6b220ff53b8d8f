import { startReceiver } from '../../packages/server/src/platform/outbound/testing/receiver.ts'
import { booleanFlag } from '../../packages/server/testing/boolean-flag.ts'
import { startCluster } from '../../packages/server/testing/databases/postgres.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import {
  type DeliveryRecord,
  type Hook,
  newFlag,
  newHook,
  projectPath,
  reaches,
  recordsOf,
  settled,
  theRecord,
} from './api.ts'
import { bodies } from './bodies.ts'
import { hostOf, startCustomers } from './customers.ts'
import { labAuthority, otherPublicAddress } from './lab.ts'
import { type Fault, runEach, since } from './run.ts'
import { metricsBearer, type Node, newSite } from './site.ts'
import { badTls, startBadTls } from './tls.ts'

// Runs in the lab: hostile answers of receivers must harm neither the node nor its records.

const host = 'hostile.example.test'
const slowButInTime = '/late?4000'
const timeoutMs = 10_000
const mostGrownBytes = 20 * 1024 * 1024
const atOnce = 50
const eventsBefore = 30
const silent = [hostOf(60), hostOf(61)] as const

/** The expected record of one attempt at each path. */
const answers: Record<string, Partial<DeliveryRecord>> = {
  [slowButInTime]: { status: 'DELIVERED', responseStatus: 200, responseBody: 'late', errorMessage: null },
  [`/late?${timeoutMs + 500}`]: late(),
  '/silent': late(),
  '/drip-head': late(),
  '/continue-forever': late(),
  '/drip': { status: 'DELIVERED', responseStatus: 200 },
  '/silent-after-head': { status: 'DELIVERED', responseStatus: 200, responseBody: '' },
  '/ok': { status: 'DELIVERED', responseStatus: 200, responseBody: 'ok', errorMessage: null },
  '/endless': { status: 'DELIVERED', responseStatus: 200, responseBody: 'a'.repeat(1_024) },
  '/five-gigabytes': { status: 'DELIVERED', responseStatus: 200, responseBody: 'a'.repeat(1_024) },
  '/bomb': { status: 'DELIVERED', responseStatus: 200 },
  '/compressed': { status: 'DELIVERED', responseStatus: 200 },
  '/continue': { status: 'DELIVERED', responseStatus: 200, responseBody: 'went on' },
  '/early-hints': { status: 'DELIVERED', responseStatus: 200, responseBody: 'hinted' },
  '/status?204': { status: 'DELIVERED', responseStatus: 204, responseBody: '' },
  '/long-head': unanswered('The endpoint answered with more than 16 KB of headers'),
  '/garbage': unanswered('The endpoint did not answer in valid HTTP'),
  '/reset': unanswered('The endpoint closed the connection without an answer'),
  '/close': unanswered('The endpoint closed the connection without an answer'),
  '/switch': refused(101),
  '/status?410': refused(410),
  '/status?429': refused(429),
  '/status?999': refused(999),
  ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`/redirect?${status}`, redirected(status)])),
}

function unanswered(errorMessage: string) {
  return { status: 'FAILED', responseStatus: null, responseBody: null, errorMessage } as const
}

function late() {
  return unanswered(`The endpoint did not answer within ${timeoutMs / 1_000} s`)
}

function refused(responseStatus: number) {
  return { status: 'FAILED', responseStatus, errorMessage: `The endpoint answered ${responseStatus}` } as const
}

function redirected(responseStatus: number) {
  const errorMessage = `The endpoint answered ${responseStatus}; redirects are not followed`
  return { status: 'FAILED', responseStatus, errorMessage } as const
}

/** The paths of 50 webhooks at once. The slow ones run together, and each large one also alone. */
const burdens: Record<string, string[]> = {
  slow: ['/drip', '/drip-head', '/silent-after-head', '/continue-forever', '/silent'],
  endless: ['/endless'],
  fiveGigabytes: ['/five-gigabytes'],
  bomb: ['/bomb'],
  longHead: ['/long-head'],
  all: ['/endless', '/five-gigabytes', '/bomb', '/long-head', '/garbage'],
}

const insecure = await startBadTls()
const customers = await startCustomers({ [host]: [[otherPublicAddress]], ...insecure.names })
const receiver = await startReceiver({ ...(await labAuthority().issue([host])), host: otherPublicAddress, port: 443 })
const cluster = await startCluster()
const secretKey = Buffer.alloc(32, 7).toString('base64url')
const serverSite = await newSite({ SVC_DATABASE_URL: cluster.url, SVC_SECRET_KEY: secretKey })
// Node gives young objects up to 128 MB before it collects them, which would hide the cost of the answers.
const [embedded, server] = await Promise.all([
  (await newSite()).start(),
  serverSite.start({ NODE_OPTIONS: '--max-semi-space-size=16' }),
])
const [onEmbedded, onServer] = [await projectPath(embedded.api), await projectPath(server.api)]
let flags = 0

const nextFlag = ({ api }: Node, project: string) => {
  flags += 1
  return newFlag(api, project, `flag-${flags}`)
}

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

const failuresOf = ({ api }: Node): string[] =>
  unless(api.failures() === 0, `I8: ${api.failures()} answers of 500 and above`)

/** The fields of a record that differ from the expected ones. */
function differences(what: string, record: Partial<DeliveryRecord> | undefined, expected: Partial<DeliveryRecord>) {
  const fields = Object.entries(expected) as [keyof DeliveryRecord, unknown][]
  return fields
    .filter(([field, value]) => record?.[field] !== value)
    .map(([field, value]) => `${what}: ${field} is ${JSON.stringify(record?.[field])}, not ${JSON.stringify(value)}`)
}

/** Sends a test ping, which is one attempt, and checks its answer and its record. */
async function ping(path: string): Promise<string[]> {
  const hook = await newHook(embedded.api, onEmbedded, host, ['flag.archived'], path)
  const { body } = await embedded.api.send('POST', `${hook.path}/test`)
  const records = await recordsOf(embedded.api, hook)
  await embedded.api.call('DELETE', hook.path)
  const expected = answers[path]!
  return [...differences(path, body.data, expected), ...differences(`the record of ${path}`, records[0], expected)]
}

/** Two seconds before the deadline, more than a busy machine delays it. */
const inTime = ping(slowButInTime)
await reaches(
  'the slow one',
  async () => receiver.requests.length,
  (count) => count > 0,
)

async function meetHostile(): Promise<Fault> {
  const startMs = performance.now()
  const others = Object.keys(answers).filter((path) => path !== slowButInTime)
  const violations = await Promise.all([inTime, ...others.map(ping)])
  return {
    violations: [...violations.flat(), ...failuresOf(embedded)],
    numbers: { answers: violations.length, tookMs: since(startMs) },
  }
}

async function refuseBadTls(): Promise<Fault> {
  const hooks: Hook[] = []
  for (const name of Object.keys(badTls))
    hooks.push(await newHook(embedded.api, onEmbedded, name, ['flag.created'], '/ok'))
  await nextFlag(embedded, onEmbedded)
  const violations: string[] = []
  for (const hook of hooks) {
    const isWritten = ({ attempts, nextRetryAt }: DeliveryRecord) => attempts >= 1 && nextRetryAt !== null
    const record = await theRecord(embedded.api, hook, isWritten)
    const { error: errorMessage } = badTls[hook.host]!
    const expected = { status: 'PENDING', responseStatus: null, responseBody: null, errorMessage } as const
    violations.push(...differences(hook.host, record, expected))
    await embedded.api.call('DELETE', hook.path)
  }
  const sent = unless(insecure.requests() === 0, `${insecure.requests()} requests were sent`)
  return { violations: [...violations, ...sent, ...failuresOf(embedded)], numbers: { kinds: hooks.length } }
}

async function stayInMemory(): Promise<Fault> {
  const flag = await nextFlag(server, onServer)
  const hooks = await Promise.all(
    Array.from({ length: atOnce }, () => newHook(server.api, onServer, host, ['flag.updated'], '/ok')),
  )
  let changes = 0
  /** Changes the flag for all webhooks at once. Resolves when all events have been attempted. */
  const tell = async (events: number) => {
    const before = await attemptsOf(server)
    for (let event = 0; event < events; event += 1) {
      changes += 1
      await server.api.call('PATCH', `${onServer}/flags/${flag.id}`, { name: `Name ${changes}` })
    }
    const all = before + events * atOnce
    await reaches(
      'the attempts',
      () => attemptsOf(server),
      (attempts) => attempts >= all,
    )
  }
  // Memory that a process takes when it starts to work is not returned.
  await tell(eventsBefore)
  const { proc } = server
  /** By how many bytes the process grows at most while all webhooks get the answer of the burden. */
  const growth = async () => {
    proc.forgetPeak()
    const residentBytes = proc.residentBytes()
    await tell(1)
    return proc.peakBytes() - residentBytes
  }
  const grown: Record<string, number> = {}
  for (const [name, paths] of Object.entries(burdens)) {
    for (const [index, { path }] of hooks.entries())
      await server.api.call('PATCH', path, { url: `https://${host}${paths[index % paths.length]}` })
    const first = await growth()
    // Ordinary work between two garbage collections shows once. What the answers cost shows each time.
    grown[name] = first > mostGrownBytes ? Math.min(first, await growth()) : first
  }
  for (const { path } of hooks) await server.api.call('DELETE', path)
  return {
    violations: [
      ...Object.entries(grown)
        .filter(([, bytes]) => bytes > mostGrownBytes)
        .map(([name, bytes]) => `${name} took ${megabytes(bytes)} MB`),
      ...failuresOf(server),
    ],
    numbers: {
      ...Object.fromEntries(Object.entries(grown).map(([name, bytes]) => [`${name}Mb`, megabytes(bytes)])),
      residentMb: megabytes(proc.residentBytes()),
    },
  }
}

const megabytes = (bytes: number) => Math.round((bytes / 1024 / 1024) * 10) / 10

async function attemptsOf({ url }: Node): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`, { headers: metricsBearer })).text()
  const counts = metrics.matchAll(/^svc_webhook_attempts_total\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Checks deliveries, test pings and a manual retry. */
const keepText = (node: Node, project: string) => async (): Promise<Fault> => {
  const { api } = node
  const hooks: Hook[] = []
  for (const [index, { status, sent }] of bodies.entries()) {
    customers.answer(hostOf(index), () => ({ status, body: sent }))
    hooks.push(await newHook(api, project, hostOf(index), ['flag.created']))
  }
  await nextFlag(node, project)
  const violations: string[] = []
  for (const [index, hook] of hooks.entries()) {
    const { kept, what, status } = bodies[index]!
    const { body } = await api.send('POST', `${hook.path}/test`)
    const isWritten = ({ lastAttemptAt }: DeliveryRecord) => lastAttemptAt !== null
    const records = await reaches(
      `the attempts at ${hook.host}`,
      () => recordsOf(api, hook),
      (all) => all.every(isWritten),
    )
    const failed = records.find((record) => record.status === 'PERMANENTLY_FAILED')
    if (failed) await api.call('POST', `${hook.path}/deliveries/${failed.id}/retry`)
    for (const record of [body.data, ...records])
      violations.push(...differences(what, record, { responseStatus: status, responseBody: kept }))
    violations.push(...unless(records.length > 1, `${what} has ${records.length} records`))
    violations.push(...unless(kept.isWellFormed() && !kept.includes('\0'), `${what} is not text`))
  }
  const named = await newHook(api, project, hostOf(bodies.length), ['flag.created'])
  const replies = await Promise.all(
    oddNames.map((name, index) => api.send('POST', `${project}/flags`, { ...booleanFlag(`odd-${index}`), name })),
  )
  const taken = replies.filter(({ status }) => status === 201).length
  const records = await reaches(
    'the odd names',
    () => recordsOf(api, named),
    (all) => all.length === taken && all.every(settled),
  )
  for (const { path } of [...hooks, named]) await api.call('DELETE', path)
  return {
    violations: [...violations, ...failuresOf(node)],
    numbers: { bodies: bodies.length, oddNamesTaken: records.length },
  }
}

/** Odd names, which are in payloads. */
const oddNames = ['a\0b', 'a\ud83d', '\udc00b', '\uffff\u{10ffff}', '\u202e\u0007']

/** Sends SIGTERM while a ping and deliveries wait for endpoints that never answer, and more are due. */
async function endBesideSilence(): Promise<Fault> {
  for (const name of silent) customers.answer(name, () => new Promise<number>(() => {}))
  const [queued, pinged] = (await Promise.all(
    silent.map((name, index) =>
      newHook(embedded.api, onEmbedded, name, [index === 0 ? 'flag.created' : 'flag.archived']),
    ),
  )) as [Hook, Hook]
  for (let count = 0; count < 12; count += 1) await nextFlag(embedded, onEmbedded)
  await customers.until('the attempts', () => customers.at(queued.host).length >= 8)
  const answer = embedded.keep().send('POST', `${pinged.path}/test`)
  await customers.until('the ping', () => customers.at(pinged.host).length === 1)
  const { code, tookMs } = await embedded.stop()
  const { status, body } = await answer
  return {
    violations: [
      ...unless(code === 0, `exit ${code}`),
      ...unless(status === 200, `the ping ended with ${status} ${JSON.stringify(body)}`),
      ...differences('the ping', body.data, late()),
    ],
    numbers: { tookMs, sent: customers.at(queued.host).length },
  }
}

await runEach(
  [
    {
      W6: meetHostile,
      'W6 TLS': refuseBadTls,
      'W7 embedded': keepText(embedded, onEmbedded),
      'W3 beside silence': endBesideSilence,
    },
    { ...(isFull && { 'W6 memory': stayInMemory }), 'W7 server': keepText(server, onServer) },
  ],
  cluster.stop,
)
