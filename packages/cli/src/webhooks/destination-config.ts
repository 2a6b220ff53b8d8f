import { destinationSecrets } from '@svc/client/catalogue'
import type { Options } from '../options.ts'
import { Problem, usage } from '../problem.ts'
import { nameOf, type Session } from '../session.ts'
import { pairOf } from '../values/option-values.ts'

/** The kinds of destinations. */
export const kindNames: readonly string[] = Object.keys(destinationSecrets)

const secretsOf: Record<string, Readonly<Record<string, 'needed' | 'optional'>>> = destinationSecrets
const secretNames = new Set(Object.values(secretsOf).flatMap((names) => Object.keys(names)))

/** The options of the form of a destination. Secrets have no option, because other users can see arguments. */
export const configOptions = {
  field: {
    value: 'NAME=VALUE',
    many: true,
    about: 'A field of its config that is not a secret, such as repo=shop. A list or an object is JSON.',
  },
  secret: {
    value: 'NAME=FILE',
    many: true,
    about: 'A secret of its config, such as url, read from a file; - is standard input.',
  },
} as const satisfies Options

interface Given {
  file?: string
  field?: string[]
  secret?: string[]
}

/** The fields of a config that options name; undefined if none does. */
export async function configGiven(
  { file, field = [], secret = [] }: Given,
  { readText }: Pick<Session, 'readText'>,
): Promise<Record<string, unknown> | undefined> {
  const files = secret.map((text) => pairOf(text, '--secret'))
  const inputs = [...(file === undefined ? [] : [file]), ...files.map(([, path]) => path)]
  if (inputs.filter((path) => path === '-').length > 1) throw usage('Standard input can be read only once.')
  const config: Record<string, unknown> = {}
  for (const [name, value] of field.map((text) => pairOf(text, '--field'))) {
    // The message leaves out the value, because it can end up in a log.
    if (secretNames.has(name))
      throw usage(`${name} is a secret, and other users can see arguments. Use --secret ${name}=FILE, or - for stdin.`)
    config[name] = valueIn(value, `--field ${name}`)
  }
  for (const [name, path] of files) {
    if (!secretNames.has(name)) throw usage(`${name} is not a secret. Use --field ${name}=VALUE.`)
    const text = (await readText(path)).trim()
    if (text === '') throw new Problem('file_invalid', `--secret ${name}: ${nameOf(path)} is empty.`)
    config[name] = valueIn(text, `--secret ${name}`)
  }
  return Object.keys(config).length > 0 ? config : undefined
}

/** Lists, objects, yes and no are JSON; anything else is text, also what looks like a number. */
function valueIn(text: string, name: string): unknown {
  if (!/^[[{]|^(true|false|null)$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw usage(`${name} looks like JSON but cannot be parsed.`)
  }
}

/** The body of a new destination with the secrets that its kind needs. Those that are missing are asked for. */
export async function withSecrets(
  body: Record<string, unknown>,
  { prompt }: Pick<Session, 'prompt'>,
): Promise<Record<string, unknown>> {
  const kind = String(body.kind)
  const config: Record<string, unknown> = { ...(body.config as object) }
  for (const [name, need] of Object.entries(secretsOf[kind] ?? {})) {
    if (need !== 'needed' || config[name] !== undefined) continue
    if (!prompt.isPossible)
      throw usage(`A destination of the kind ${kind} needs its ${name}. Use --secret ${name}=FILE, or - for stdin.`)
    const typed = (await prompt.askSecret(`${name} (not shown):`)).trim()
    if (typed === '') throw usage(`The ${name} is empty.`)
    config[name] = typed
  }
  return { ...body, config }
}
