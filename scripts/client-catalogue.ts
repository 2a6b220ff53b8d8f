import { z } from 'zod'
import { actions } from '../packages/server/src/catalogue/actions.ts'
import { events, isOrganizationWide, isSafetyEvent } from '../packages/server/src/catalogue/events.ts'
import { headings, indexFieldOf, nounRows } from '../packages/server/src/catalogue/nouns.ts'
import { payloads } from '../packages/server/src/catalogue/payloads.ts'
import { otherPrograms, settings } from '../packages/server/src/config.ts'
import { kinds as destinationKinds, kindNames } from '../packages/server/src/wings/telling/destinations/index.ts'

const banner = '// Printed from the catalogue of `packages/server` by `npm run documents`.\n\n'

/**
 * The nouns, the phrases of the audit log and the events for packages/client, because the dashboard must not import the
 * server: the text of each file. Every page needs the nouns, and few need the rest.
 */
export const clientCatalogue = (): Record<string, string> => ({
  'packages/client/src/nouns.ts': printedNouns(),
  'packages/client/src/catalogue.ts': printedCatalogue(),
})

function printedNouns(): string {
  const printed = nounRows.map(([name, { label, plural, readBy, address, page, inBody, heading }]) => {
    const isIndexed = name !== 'project' && address?.table !== undefined
    const called = address && { param: address.param, path: address.path, calledBy: address.calledBy }
    const index = isIndexed ? { index: indexFieldOf(address) } : {}
    return [name, { label, plural, ...(readBy && { isAudited: true }), ...called, ...index, page, inBody, heading }]
  })
  return `${banner}/**
 * The nouns of the API: what people call them, whether the audit log has entries about them, how addresses name them, the
 * field of the project's index, the page in the dashboard, the fields of an event's body, and the heading of their events.
 */
export const nouns = ${JSON.stringify(Object.fromEntries(printed))} as const
`
}

function printedCatalogue(): string {
  const phrases = Object.entries(actions).map(([name, { phrase }]) => [name, phrase])
  const told = (Object.keys(events) as (keyof typeof events)[]).map((name) => [
    name,
    {
      about: events[name].about,
      meaning: events[name].meaning,
      ...(isSafetyEvent(name) && { isSafety: true }),
      ...(isOrganizationWide(name) && { isOrganizationWide: true }),
      ...(name in payloads && { carries: Object.keys(payloads[name as keyof typeof payloads]) }),
    },
  ])
  const secrets = kindNames.map((name) => {
    const { secrets: names, config } = destinationKinds[name]
    const { required = [] } = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' })
    return [name, Object.fromEntries(names.map((field) => [field, required.includes(field) ? 'needed' : 'optional']))]
  })
  return `${banner}/** The headings above events where people choose some, in order. */
export const eventHeadings = ${JSON.stringify(headings)} as const

/** The phrase of each audit log action, between actor and object: Ada *created the flag* one-page. */
export const auditPhrases = ${JSON.stringify(Object.fromEntries(phrases))} as const

/** Every event of webhooks. Without carries, the fields of its body, it is not sent yet. */
export const eventCatalogue = ${JSON.stringify(Object.fromEntries(told))} as const

/** The kinds of destinations, with the fields of their config that are secrets. */
export const destinationSecrets = ${JSON.stringify(Object.fromEntries(secrets))} as const

/** The environment variables of the service and of the command line. Each program must know those of the other. */
export const variables = ${JSON.stringify({ service: Object.keys(settings), commandLine: [...otherPrograms] })} as const
`
}
