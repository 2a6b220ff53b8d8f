import { z } from 'zod'
import { actions } from '../packages/server/src/catalogue/actions.ts'
import { events, isOrganizationWide, isSafetyEvent } from '../packages/server/src/catalogue/events.ts'
import { auditedNouns, nouns } from '../packages/server/src/catalogue/nouns.ts'
import { payloads } from '../packages/server/src/catalogue/payloads.ts'
import { otherPrograms, settings } from '../packages/server/src/config.ts'
import { kinds as destinationKinds, kindNames } from '../packages/server/src/wings/telling/destinations/index.ts'

const banner = '// Printed from the catalogue of `packages/server` by `npm run documents`.\n\n'

/** The nouns and phrases of the audit log and the events for packages/client, because the dashboard must not import the server. */
export function clientCatalogue(): string {
  const kinds = auditedNouns.map((noun) => [noun, { label: nouns[noun].label, plural: nouns[noun].plural }])
  const phrases = Object.entries(actions).map(([name, { phrase }]) => [name, phrase])
  const told = (Object.keys(events) as (keyof typeof events)[]).map((name) => [
    name,
    {
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
  return `${banner}/** The kinds of objects in the audit log. */
export const auditedNouns = ${JSON.stringify(Object.fromEntries(kinds))} as const

/** The phrase of each audit log action, between actor and object: Ada *created the flag* one-page. */
export const auditPhrases = ${JSON.stringify(Object.fromEntries(phrases))} as const

/** Every event of webhooks. Without carries, the fields of its body, it is not sent yet. */
export const eventCatalogue = ${JSON.stringify(Object.fromEntries(told))} as const

/** The kinds of destinations, with the fields of their config that are secrets. */
export const destinationSecrets = ${JSON.stringify(Object.fromEntries(secrets))} as const

/** The environment variables of the service and of the command line, each of which knows what is for the other. */
export const variables = ${JSON.stringify({ service: Object.keys(settings), commandLine: [...otherPrograms] })} as const
`
}
