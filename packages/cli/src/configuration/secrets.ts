import { Problem, usage } from '../problem.ts'
import type { Wanted } from './file.ts'
import type { Fields } from './objects.ts'
import { secretsOf } from './secret-variables.ts'
import type { State } from './state.ts'

/** The values of secrets, by the key of their destination. They are never printed. */
export type Secrets = Readonly<Record<string, Fields>>

const shownCharacters = 4
const shortestShown = 12

const endOf = (text: string): string => (text.length >= shortestShown ? `…${text.slice(-shownCharacters)}` : '…')

/** The hint that the service shows in place of a secret: its last characters, and the origin of an address. */
export function hintOf(secret: unknown): unknown {
  if (typeof secret === 'object' && secret !== null)
    return Object.fromEntries(Object.entries(secret).map(([name, value]) => [name, hintOf(value)]))
  const text = String(secret)
  if (!text.startsWith('https://') || !URL.canParse(text)) return endOf(text)
  const { origin } = new URL(text)
  return `${origin}/${endOf(text.slice(origin.length + 1))}`
}

/**
 * The same file with the secrets of destinations, read from the environment. The configs contain the hints that the
 * service shows, so that a change is visible. A secret that the file does not name, or whose variable is not set,
 * stays.
 */
export function withSecrets(
  wanted: Wanted,
  state: State,
  variable: (name: string) => string | undefined,
): { wanted: Wanted; secrets: Secrets } {
  const section = wanted.objects.destinations
  if (!section) return { wanted, secrets: {} }
  const secrets: Record<string, Fields> = {}
  const destinations = Object.fromEntries(
    Object.entries(section).map(([key, { secrets: named = {}, config = {}, ...body }]) => {
      const there = Object.hasOwn(state.objects.destinations, key) ? state.objects.destinations[key]!.body : undefined
      const present = there?.kind === body.kind ? (there?.config as Fields) : undefined
      const own = valuesOf(key, body.kind, named as Named, { isNew: present === undefined, variable })
      secrets[key] = own
      return [key, { ...body, config: { ...present, ...(config as Fields), ...(hintOf(own) as Fields) } }]
    }),
  )
  return { wanted: { ...wanted, objects: { ...wanted.objects, destinations } }, secrets }
}

type Named = Readonly<Record<string, { env: string }>>

function valuesOf(
  key: string,
  kind: unknown,
  named: Named,
  { isNew, variable }: { isNew: boolean; variable: (name: string) => string | undefined },
): Fields {
  const unknown = Object.keys(named).find((name) => !secretsOf(kind).includes(name))
  if (unknown !== undefined)
    throw new Problem('file_invalid', `destinations.${key}.secrets.${unknown} is not a secret of the kind ${kind}.`)
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, { env }]) => {
      const value = variable(env)?.trim()
      if (value) return [[name, value.startsWith('{') ? readJson(env, value) : value]]
      if (!isNew) return []
      throw usage(`The destination ${key} is new and needs its ${name}: set the environment variable ${env}.`)
    }),
  )
}

function readJson(env: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message leaves out the text, because it is a secret.
    throw usage(`The environment variable ${env} looks like JSON but cannot be parsed.`)
  }
}
