import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openOutbound } from '../../packages/server/src/platform/outbound/index.ts'
import { type Receiver, startReceiver } from '../../packages/server/src/platform/outbound/testing/receiver.ts'
import { type DnsAnswer, startDns } from './dns.ts'
import { fixedName, forbiddenAddresses, labAuthority, otherPublicAddress, publicAddress, report } from './lab.ts'

// Runs in the lab: the outbound connection in its default configuration, except for the length of an attempt.

const timeoutMs = 10_000
const allowedHost = 'receiver.internal:8443'
// This is reached only if the event never happens.
const untilMs = 60_000

const names: Record<string, DnsAnswer[]> = {
  'hook.example.test': [[publicAddress]],
  'alias.example.test': [{ cname: 'hook.example.test' }],
  'half.example.test': [{ ipv4Only: [publicAddress] }],
  'dead-first.example.test': [['2600:1f18::5', '93.184.216.99', publicAddress]],
  'private.example.test': [['10.0.0.1']],
  'loopback.example.test': [['127.0.0.1']],
  'metadata.example.test': [['169.254.169.254']],
  'six.example.test': [['::1']],
  'mapped.example.test': [['::ffff:127.0.0.1']],
  'nat64.example.test': [['64:ff9b::10.0.0.1']],
  'mixed.example.test': [[publicAddress, '10.0.0.1']],
  'mixed-families.example.test': [[publicAddress, 'fd00:ec2::254']],
  'alias-private.example.test': [{ cname: 'private.example.test' }],
  'failing.example.test': ['failure'],
  'silent.example.test': ['silence'],
  'rebind.example.test': [[publicAddress], ['127.0.0.1']],
  'rebind-later.example.test': [[publicAddress], [publicAddress], ['10.0.0.1']],
  'moved.example.test': [[publicAddress], [otherPublicAddress]],
  'receiver.internal': [['10.0.0.1']],
}

const tried = [...Object.keys(names), fixedName, 'nobody.example.test', '127.0.0.1.example.test']
const allNames = [...tried, 'receiver.internal']

const certificate = await labAuthority().issue(allNames)
await startDns(names)
const receivers: Record<string, Receiver> = {}
for (const host of [publicAddress, otherPublicAddress, ...forbiddenAddresses])
  receivers[host] = await startReceiver({ ...certificate, host, port: 443 })
const allowedReceiver = await startReceiver({ ...certificate, host: '10.0.0.1', port: 8443 })

/** How late timers are on this machine. */
const lateness = monitorEventLoopDelay()
lateness.enable()
const outbound = openOutbound({ timeoutMs })
const post = (name: string, through = outbound) =>
  through.post(`https://${name}/ok`, { 'X-Svc-Event': name }, Buffer.from('{}'))

const checks: Record<string, string | null> = {}
const attempts: Record<string, Awaited<ReturnType<typeof post>>> = {}
await Promise.all(
  tried.map(async (name) => {
    checks[name] = (await outbound.checkUrl(`https://${name}/ok`)) ?? null
    attempts[name] = await post(name)
  }),
)

async function postUntil(name: string, isReached: (error: string | null) => boolean): Promise<boolean> {
  const end = performance.now() + untilMs
  while (performance.now() < end) if (isReached((await post(name)).error)) return true
  return false
}

const ended: string[] = []
const note = async (name: string) => {
  const attempt = await post(name)
  ended.push(name)
  return attempt
}
const heldUp = Array.from({ length: 20 }, () => note('silent.example.test'))
const besideSilence = await note('hook.example.test')
await Promise.all(heldUp)

const opened = openOutbound({ timeoutMs, allowedHosts: allowedHost })
report({
  checks,
  attempts,
  besideSilence,
  endedFirst: ended[0],
  lateMs: lateness.max / 1e6,
  rebound: await postUntil('rebind-later.example.test', (error) => error !== null),
  moved: await postUntil('moved.example.test', () => receivers[otherPublicAddress]!.requests.length > 0),
  toAllowedHost: await post(allowedHost, opened),
  besideAllowedHost: await post('private.example.test', opened),
  allowedRequests: allowedReceiver.requests.length,
  received: receivers[publicAddress]!.requests.map(({ head, to, serverName }) => ({ head, to, serverName })),
  forbiddenConnections: forbiddenAddresses.map((address) => receivers[address]!.connections()),
})
