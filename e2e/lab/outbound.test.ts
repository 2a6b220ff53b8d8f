import { beforeAll, describe, expect, it } from 'vitest'
import type { Attempt } from '../../packages/server/src/platform/outbound/index.ts'
import { fixedName, forbiddenAddresses, publicAddress, runInLab } from './lab.ts'

interface Report {
  checks: Record<string, string | null>
  attempts: Record<string, Attempt>
  besideSilence: Attempt
  endedFirst: string
  lateMs: number
  rebound: boolean
  moved: boolean
  toAllowedHost: Attempt
  besideAllowedHost: Attempt
  allowedRequests: number
  received: { head: string; to: string; serverName: string }[]
  forbiddenConnections: number[]
}

const attemptLimitMs = 10_500

let seen: Report

beforeAll(async () => {
  seen = await runInLab<Report>('e2e/lab/deliveries.ts')
})

describe('in the default configuration', () => {
  it.each(['hook.example.test', 'alias.example.test', 'half.example.test', 'dead-first.example.test', fixedName])(
    'a delivery reaches %s at its public address',
    (name) => {
      expect(seen.checks[name]).toBeNull()
      expect(seen.attempts[name]).toMatchObject({ status: 200, body: 'ok', error: null })
      const { to, serverName, head } = seen.received.find(({ head }) => head.includes(`X-Svc-Event: ${name}`))!
      expect({ to, serverName }).toEqual({ to: publicAddress, serverName: name })
      expect(head).toContain(`\r\nhost: ${name}\r\n`)
    },
  )

  it.each([
    ['private.example.test', '10.0.0.1'],
    ['loopback.example.test', '127.0.0.1'],
    ['metadata.example.test', '169.254.169.254'],
    ['six.example.test', '::1'],
    ['mapped.example.test', '::ffff:127.0.0.1'],
    ['nat64.example.test', '64:ff9b::a00:1'],
    ['mixed.example.test', '10.0.0.1'],
    ['mixed-families.example.test', 'fd00:ec2::254'],
    ['alias-private.example.test', '10.0.0.1'],
  ])('%s, which resolves to %s, is refused when saved and when sent to', (name, address) => {
    const problem = `URL host resolves to a private IP address (${address})`
    expect(seen.checks[name]).toContain(problem)
    expect(seen.attempts[name]).toMatchObject({ status: null, error: seen.checks[name], charged: true })
  })

  it.each(['failing.example.test', 'silent.example.test', 'nobody.example.test'])('%s cannot be resolved', (name) => {
    expect(seen.checks[name]).toBe('URL host cannot be resolved')
    expect(seen.attempts[name]).toMatchObject({ status: null, charged: true })
  })

  it('a name that becomes private after it was saved is not sent to', () => {
    expect(seen.checks['rebind.example.test']).toBeNull()
    const error = expect.stringContaining('URL host resolves to a private IP address (127.0.0.1)')
    expect(seen.attempts['rebind.example.test']).toMatchObject({ status: null, error })
  })

  it('a name that becomes private between attempts is no longer sent to', () => {
    expect(seen.attempts['rebind-later.example.test']).toMatchObject({ status: 200 })
    expect(seen.rebound).toBe(true)
  })

  it('a name that changes its address is followed despite kept connections', () => expect(seen.moved).toBe(true))

  it('each attempt keeps its time limit, and names without an answer delay only themselves', () => {
    // The timer that ends an attempt, and each turn that follows, can come as late as any other.
    const limitMs = attemptLimitMs + 10 * seen.lateMs
    for (const { durationMs } of Object.values(seen.attempts)) expect(durationMs).toBeLessThan(limitMs)
    expect(seen.besideSilence).toMatchObject({ status: 200 })
    expect(seen.endedFirst).toBe('hook.example.test')
  })
})

it('an allowed host can be private and have its own port, without allowing any other host', () => {
  expect(seen.toAllowedHost).toMatchObject({ status: 200 })
  expect(seen.allowedRequests).toBe(1)
  expect(seen.besideAllowedHost).toMatchObject({ status: null })
})

it('all connections were made to public addresses', () =>
  expect(seen.forbiddenConnections).toEqual(forbiddenAddresses.map(() => 0)))
