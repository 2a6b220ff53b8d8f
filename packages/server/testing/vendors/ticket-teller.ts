import { once } from 'node:events'
import { open, readFile, rename } from 'node:fs/promises'
import { github } from '../../src/wings/telling/destinations/kinds/github.ts'
import { jira } from '../../src/wings/telling/destinations/kinds/jira.ts'
import { linear } from '../../src/wings/telling/destinations/kinds/linear.ts'
import { pagerduty } from '../../src/wings/telling/destinations/kinds/pagerduty.ts'
import type { Ref } from '../../src/wings/telling/tickets/ticket.ts'
import type { TicketKind } from '../../src/wings/telling/tickets/ticket-kind.ts'
import { runTickets } from '../../src/wings/telling/tickets/ticket-run.ts'
import { messageOf } from './ticket-messages.ts'
import { type TicketKindName, vendorConfigs } from './ticket-vendors.ts'

// A process that makes one attempt at a delivery, so that a test can kill it meanwhile. It reports when it has stored
// something, and then waits for an answer.
export interface TellerOptions {
  name: TicketKindName
  /** The vendor on this machine. */
  port: number
  /** The file with what is remembered. It is replaced as a whole, so that it is never half-written. */
  file: string
  deliveryId: string
  now: string
}

const { name, port, file, deliveryId, now } = JSON.parse(process.argv[2]!) as TellerOptions
const kind = { PAGERDUTY: pagerduty, GITHUB: github, JIRA: jira, LINEAR: linear }[name] as TicketKind<unknown>
const config = vendorConfigs[name]
const at = new Date(now)
const message = messageOf()
const { key } = message

const { ref } = JSON.parse(await readFile(file, 'utf8'), revived) as { ref: Ref | null }
const end = await runTickets([{ telling: { key, deliveryId, at: message.at, what: 'OPENS' }, ref }], {
  manner: kind.mannerOf(config),
  async send(step) {
    const { method, url, headers, body } = kind.requestOf({ config, message, eventType: 'flag.srm_failed', step })
    const { pathname, search } = new URL(url)
    const response = await fetch(`https://localhost:${port}${pathname}${search}`, { method, headers, body })
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
    return { answer, verdict: kind.judge(answer, at, step, config) }
  },
  save: (_key, saved) => store(saved),
  hasTime: () => true,
  now: () => at,
})
await store(end.refs.has(key) ? end.refs.get(key)! : ref)
process.stdin.destroy()
process.stdout.write(`${JSON.stringify({ end: end.end, at: end.end === 'LATER' ? end.at : null })}\n`)

async function store(saved: Ref | null): Promise<void> {
  const written = await open(`${file}.new`, 'w')
  await written.writeFile(JSON.stringify({ ref: saved }))
  await written.sync()
  await written.close()
  await rename(`${file}.new`, file)
  process.stdout.write('stored\n')
  await once(process.stdin, 'data')
}

function revived(field: string, value: unknown): unknown {
  return ['since', 'toldAt', 'at'].includes(field) ? new Date(value as string) : value
}
