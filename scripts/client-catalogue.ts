import { actions } from '../packages/server/src/catalogue/actions.ts'
import { auditedNouns, nouns } from '../packages/server/src/catalogue/nouns.ts'

const banner = '// Printed from `packages/server/src/catalogue` by `npm run documents`.\n\n'

/** What the audit log is about and what it says, for packages/client: the dashboard knows nothing of the server. */
export function clientCatalogue(): string {
  const kinds = auditedNouns.map((noun) => [noun, { label: nouns[noun].label, plural: nouns[noun].plural }])
  const phrases = Object.entries(actions).map(([name, { phrase }]) => [name, phrase])
  return `${banner}/** The kinds of objects in the audit log. */
export const auditedNouns = ${JSON.stringify(Object.fromEntries(kinds))} as const

/** What each action of the audit log says between the actor and the object: Ada *created the flag* one-page. */
export const auditPhrases = ${JSON.stringify(Object.fromEntries(phrases))} as const
`
}
