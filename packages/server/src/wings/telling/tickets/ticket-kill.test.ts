import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../../../testing/full.ts'
import { surroundings } from '../../../../testing/processes/surroundings.ts'
import { scratchFolder } from '../../../../testing/scratch.ts'
import type { TellerOptions } from '../../../../testing/vendors/ticket-teller.ts'
import { type TicketKindName, vendorOrigins, vendors } from '../../../../testing/vendors/ticket-vendors.ts'
import { startVendor } from '../../../../testing/vendors/vendor-server.ts'
import { type Authority, type Certificate, makeAuthority } from '../../../platform/outbound/testing/certificates.ts'

const source = fileURLToPath(new URL('../../../../testing/vendors/ticket-teller.ts', import.meta.url))
const begin = Date.parse('2026-11-27T12:00:00.000Z')

/** Moments of one attempt: the n-th time that something is stored, that a request arrives, or that it is answered. */
const moments = ['stored 1', 'ARRIVED 1', 'DONE 1', 'stored 2'] as const
type Moment = (typeof moments)[number]

/** Each of the first three, and one of the second attempt after it. */
const pairs = moments.slice(0, 3).flatMap((first): Moment[][] => [
  [first, 'DONE 1'],
  [first, 'stored 1'],
])
/** Each moment once at least. */
const some: Moment[][] = [
  ['stored 1', 'DONE 1'],
  ['ARRIVED 1', 'stored 1'],
]
/** The moments of each run: those of a pair follow each other in two attempts. */
const runs: Moment[][] = [...(isFull ? pairs : some), ['stored 2']]

let authority: Authority
let certificate: Certificate
let folder: string
let teller: string
beforeAll(async () => {
  authority = await makeAuthority()
  certificate = await authority.issue(['localhost'])
  folder = await scratchFolder('svc-tickets')
  teller = await bundled()
})
afterAll(async () => {
  await authority.remove()
  await rm(folder, { recursive: true })
})

/** The process that sends as one file, which starts in a third of the time. A hundred of them are started. */
async function bundled(): Promise<string> {
  const outDir = join(folder, 'dist')
  await build({
    ...{ entry: { teller: source }, outDir, config: false, dts: false, format: 'esm', platform: 'node' },
    ...{ logLevel: 'error', outExtensions: () => ({ js: '.mjs' }) },
    deps: { alwaysBundle: [/./], neverBundle: [/^node:/] },
  })
  return join(outDir, 'teller.mjs')
}

/** Kills the processes that make a ticket at these moments, one after the other, and lets the next one finish. */
async function killed(name: TicketKindName, at: readonly Moment[]): Promise<{ tickets: number; kills: number }> {
  let now = begin
  // Behind by less than the time that we wait for it.
  const searchLagMs = { PAGERDUTY: 0, GITHUB: 30_000, JIRA: 240_000, LINEAR: 0 }[name]
  const vendor = vendors[name]({ now: () => new Date(now), searchLagMs })
  const file = join(folder, `${name}-${at.join('-')}.json`)
  await writeFile(file, JSON.stringify({ ref: null }))
  let note = async (_moment: string): Promise<boolean> => true
  const server = await startVendor(vendor, {
    ...certificate,
    origin: vendorOrigins[name],
    passes: (moment) => note(moment),
  })
  let kills = 0
  try {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const options: TellerOptions = {
        name,
        port: server.port,
        file,
        deliveryId: 'd1',
        now: new Date(now).toISOString(),
      }
      const child = spawn(process.execPath, [teller, JSON.stringify(options)], {
        env: { ...surroundings(), NODE_EXTRA_CA_CERTS: authority.caPath },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const closed = once(child, 'close')
      const counts = new Map<string, number>()
      note = async (moment) => {
        counts.set(moment, (counts.get(moment) ?? 0) + 1)
        if (`${moment} ${counts.get(moment)}` !== at[kills]) return true
        child.kill('SIGKILL')
        await closed
        return false
      }
      let end: { end: string; at: string | null } | undefined
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line === 'stored') void note('stored').then((passes) => passes && child.stdin.write('\n'))
        else end = JSON.parse(line)
      })
      const [, signal] = (await closed) as [number | null, string | null]
      if (signal === 'SIGKILL') kills += 1
      else if (end?.end === 'LATER') now = Math.max(now, Date.parse(end.at!))
      else return { tickets: vendor.tickets.length, kills }
      now += 1_000
    }
    throw new Error('the ticket is never made')
  } finally {
    await server.close()
  }
}

const names = Object.keys(vendors) as TicketKindName[]

describe('a ticket whose process is killed', () => {
  it.each(names)('is made once by %s', { timeout: 240_000 }, async (name) => {
    let all = 0
    for (const at of runs) {
      const { tickets, kills } = await killed(name, at)
      expect(tickets, at.join(', ')).toBe(1)
      all += kills
    }
    expect(all).toBe(runs.flat().length)
  })
})
