import { actions } from '../packages/server/src/catalogue/actions.ts'
import { auditedNouns, nouns } from '../packages/server/src/catalogue/nouns.ts'

const banner = '// Printed from `packages/server/src/catalogue` by `npm run documents`.\n\n'

/** The nouns and phrases of the audit log for packages/client, because the dashboard must not import the server. */
export function clientCatalogue(): string {
  const kinds = auditedNouns.map((noun) => [noun, { label: nouns[noun].label, plural: nouns[noun].plural }])
  const phrases = Object.entries(actions).map(([name, { phrase }]) => [name, phrase])
  return `${banner}/** The kinds of objects in the audit log. */
export const auditedNouns = ${JSON.stringify(Object.fromEntries(kinds))} as const

/** The phrase of each audit log action, between actor and object: Ada *created the flag* one-page. */
export const auditPhrases = ${JSON.stringify(Object.fromEntries(phrases))} as const
`
}
