import { auditedNouns, auditPhrases } from '@svc/client'

const phrases: Record<string, string> = auditPhrases
const kinds: Record<string, { label: string; plural: string }> = auditedNouns

/** What an entry says between who did it and what it was done to. An action of another version says its name. */
export const phraseOf = (action: string): string => phrases[action] ?? `(${action})`

export const objectLabel = (type: string): string => kinds[type]?.label ?? type

export const objectChoices = Object.entries(kinds).map(([value, { label }]) => ({ value, label }))

/** To choose from: all of a kind, then each action of that kind. */
export const actionChoices = Object.entries(kinds).map(([kind, { plural }]) => ({
  group: plural,
  items: [
    { value: `${kind}.`, label: `${plural}: everything` },
    ...Object.keys(phrases)
      .filter((action) => action.startsWith(`${kind}.`))
      .map((action) => ({ value: action, label: labelOf(action) })),
  ],
}))

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

/** As what somebody acted. */
export const actorInWords = (type: string): string => actors[type] ?? type

/** Who acted; parts of the service that act by themselves are called by what they do. */
export const actorName = ({ type, name }: { type: string; name: string }): string =>
  type === 'system' ? `The service (${name})` : name
