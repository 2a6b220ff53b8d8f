import { nouns } from '@svc/client'
import { auditPhrases } from '@svc/client/catalogue'

const phrases: Record<string, string> = auditPhrases
const kinds: Record<string, { label: string; plural: string }> = Object.fromEntries(
  Object.entries(nouns).filter(([, noun]) => 'isAudited' in noun),
)

/** The words between actor and object. An unknown action, of another version, shows its name. */
export const phraseOf = (action: string): string => phrases[action] ?? `(${action})`

export const objectLabel = (type: string): string => kinds[type]?.label ?? type

export const objectChoices = Object.entries(kinds).map(([value, { label }]) => ({ value, label }))

/** The choices of the filter: for each type of object, all its actions, then each one. */
export const actionChoices = Object.entries(kinds).flatMap(([kind, { plural }]) => [
  { value: `${kind}.`, label: `${plural}: all actions` },
  ...Object.keys(phrases)
    .filter((action) => action.startsWith(`${kind}.`))
    .map((action) => ({ value: action, label: labelOf(action) })),
])

/** `service_token.rotate` → "Service token: rotate". */
function labelOf(action: string): string {
  const [kind, verb] = action.split('.') as [string, string]
  return `${objectLabel(kind)}: ${verb.replaceAll('_', ' ')}`
}

const actors: Record<string, string> = {
  user: 'in the dashboard',
  service_token: 'a service token',
  personal_token: 'with a personal token',
  system: 'the service itself',
}

/** In which role the actor acted. */
export const actorInWords = (type: string): string => actors[type] ?? type

/** The name of the actor. For the service itself, the name of the part that acted. */
export const actorName = ({ type, name }: { type: string; name: string }): string =>
  type === 'system' ? `The service (${name})` : name
