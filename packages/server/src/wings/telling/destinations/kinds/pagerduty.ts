import { z } from 'zod'
import type { Message, TicketKind } from '../../tickets/index.ts'
import { alarmKey, isTest } from '../../tickets/index.ts'
import { hold } from './rate-limits.ts'
import { cut, plain, ticketParts } from './ticket-text.ts'

const hosts = { US: 'events.pagerduty.com', EU: 'events.eu.pagerduty.com' } as const
const summaryMaxLength = 1_024
const client = 'Svc'
/** The events API lets a service of theirs decide how much it takes, so this is only polite. */
const paceMs = 200

const config = z.strictObject({
  region: z.enum(['US', 'EU']).default('US').meta({ description: 'The service region of the PagerDuty account.' }),
  routingKey: z
    .string()
    .regex(/^[0-9A-Za-z]{32}$/, 'Must be the 32 letters and digits of an integration key.')
    .meta({
      examples: ['0123456789abcdef0123456789abcdef'],
      description: 'Integration key of an *Events API v2* integration.',
    }),
})

type Config = z.infer<typeof config>

/** Alarms at PagerDuty, by its events API v2. */
export const pagerduty: TicketKind<Config> = {
  config,
  secrets: ['routingKey'],
  urls: [],
  paceMs,
  folds: false,
  mannerOf: () => ({ isRepeatable: true, searchLagMs: 0, closes: true }),
  /** Only problems ring. A test must ring too. */
  opens: ({ tone, key }) => tone === 'BAD' || tone === 'WARNING' || isTest(key),
  requestOf({ config: { region, routingKey }, message, eventType, step }) {
    const dedupKey = alarmKey(step.key)
    const event =
      step.do === 'CLOSE'
        ? { routing_key: routingKey, event_action: 'resolve', dedup_key: dedupKey }
        : {
            routing_key: routingKey,
            event_action: 'trigger',
            dedup_key: dedupKey,
            ...triggered(message, eventType),
          }
    return {
      via: 'https',
      method: 'POST',
      url: `https://${hosts[region]}/v2/enqueue`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(event),
    }
  },
  judge(answer, now, step) {
    if (answer.status === 202)
      return {
        verdict: 'DELIVERED',
        ...(step.do !== 'CLOSE' && { external: { id: alarmKey(step.key), url: null } }),
      }
    if (answer.status === 429) return hold(answer, now)
    return { verdict: answer.status === 400 || answer.status === 410 ? 'PERMANENT' : 'RETRY' }
  },
}

const severities = { BAD: 'critical', WARNING: 'warning', INFO: 'info', GOOD: 'info' } as const

function triggered(message: Message, eventType: string) {
  const { summary, title, facts, link } = ticketParts(message)
  return {
    payload: {
      summary: cut(title || eventType, summaryMaxLength),
      severity: severities[message.tone],
      source: new URL(link.url).host,
      timestamp: message.at.toISOString(),
      component: cut(plain(message.project), 255) || 'Svc',
      group: cut(plain(message.project), 255) || 'Svc',
      class: eventType,
      custom_details: detailsOf([{ label: 'Summary', value: summary }, ...facts]),
    },
    client,
    client_url: link.url,
    links: [{ href: link.url, text: link.label }],
  }
}

/** Facts with one label share a field. */
const detailsOf = (facts: readonly { label: string; value: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(facts, ({ label }) => label)].map(([label, all]) => [
      label,
      all.map(({ value }) => value).join(', '),
    ]),
  )
