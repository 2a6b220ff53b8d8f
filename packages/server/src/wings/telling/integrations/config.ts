import { isDeepStrictEqual } from 'node:util'
import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Seal } from '../../../platform/seal.ts'
import { leadsElsewhere, shownEnd } from '../../../shown-secret.ts'
import { type KindName, kinds } from '../destinations/index.ts'

/** The fields of a destination's form. */
export type Config = Record<string, unknown>

const secretsOf = (kind: KindName): readonly string[] => kinds[kind].secrets

/** A shorter piece of an address is no secret. */
const shortestShown = 12

/** What shows which secret it is: its last characters, and the host of an address. */
function hintOf(secret: unknown): unknown {
  if (typeof secret === 'object' && secret !== null)
    return Object.fromEntries(Object.entries(secret).map(([name, value]) => [name, hintOf(value)]))
  const text = String(secret)
  if (!/^https:\/\//.test(text) || !URL.canParse(text)) return shownEnd(text)
  const { origin } = new URL(text)
  return `${origin}/${shownEnd(text.slice(origin.length + 1))}`
}

/** A config without its secrets, and the secrets. */
export function apart(kind: KindName, config: Config): { shown: Config; secrets: Config } {
  const names = secretsOf(kind)
  const isSecret = ([name]: [string, unknown]) => names.includes(name)
  const fields = Object.entries(config)
  return {
    shown: Object.fromEntries(fields.map(([name, value]) => [name, isSecret([name, value]) ? hintOf(value) : value])),
    secrets: Object.fromEntries(fields.filter(isSecret)),
  }
}

/**
 * An edit of a config, whole again. A secret that is not given, or given as it was shown, stays as it is.
 *
 * @param shown what was answered last
 * @param secrets what is sealed
 */
export function together(kind: KindName, shown: Config, secrets: Config, edit: Config): Config {
  const kept = Object.fromEntries(
    secretsOf(kind).flatMap((name) =>
      name in secrets ? [[name, keptIn(edit[name], shown[name], secrets[name])]] : [],
    ),
  )
  return { ...shown, ...edit, ...kept }
}

function keptIn(given: unknown, shown: unknown, secret: unknown): unknown {
  if (given === undefined || isDeepStrictEqual(given, shown)) return secret
  if (!isRecord(given) || !isRecord(shown) || !isRecord(secret)) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Object.hasOwn(secret, name) && value === shown[name] ? secret[name] : value,
    ]),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The addresses of a config that were typed in, by their fields. Addresses that stay were checked before. */
export const addressesIn = (kind: KindName, config: Config, shown: Config = {}): [string, string][] =>
  (kinds[kind].urls as readonly string[]).flatMap((name) => {
    const value = config[name]
    return typeof value === 'string' && value !== shown[name] ? [[name, value] as [string, string]] : []
  })

/**
 * The secrets that an edit keeps although their address leads to a different host. They must be entered again, because
 * a person who edits the address could otherwise have them sent to their own host.
 */
export function keptElsewhere(kind: KindName, shown: Config, secrets: Config, edit: Config, whole: Config): string[] {
  const urls: readonly string[] = kinds[kind].urls
  const before = { ...shown, ...secrets }
  if (urls.every((name) => !leadsElsewhere(String(before[name]), String(whole[name])))) return []
  return secretsOf(kind).filter((name) => !urls.includes(name) && isKept(edit[name], shown[name]))
}

/** Whether an edit keeps a secret, or a part of it. */
function isKept(given: unknown, shown: unknown): boolean {
  if (!isRecord(shown)) return given === undefined || given === shown
  if (given === undefined) return Object.keys(shown).length > 0
  return (
    isRecord(given) &&
    Object.entries(given).some(([name, value]) => Object.hasOwn(shown, name) && value === shown[name])
  )
}

const hidden = '•••'
const shortestHidden = 4

/** Texts of ours without secrets: the part of an address that is one, in the ways in which requests write it. */
export function hiding(secrets: readonly string[]) {
  const parts = partsOf(secrets)
  const inText = (text: string): string => parts.reduce((rest, part) => rest.replaceAll(part, hidden), text)
  const inJson = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map(inJson)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [inText(name), inJson(each)]))
  }
  return { inText, inJson }
}

const partsOf = (secrets: readonly string[]): string[] =>
  secrets
    .flatMap((secret) => (URL.canParse(secret) ? [secret, secret.slice(new URL(secret).origin.length + 1)] : [secret]))
    .filter((part) => part.length >= shortestHidden)
    .flatMap((part) => [part, part.replaceAll('/', '\\/'), encodeURIComponent(part)])
    .toSorted((one, other) => other.length - one.length)

/** The headers of a request. Secret headers are hidden as a whole, because a short secret can be part of any text. */
export const withoutSecretHeaders = (
  headers: Readonly<Record<string, string>>,
  secrets: Config,
  inText: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isRecord(secrets.headers) && Object.hasOwn(secrets.headers, name) ? hidden : inText(value),
    ]),
  )

/** The segments and values of an address that can be secrets by themselves: receivers repeat them without the rest. */
function piecesOf(secret: string): string[] {
  if (!URL.canParse(secret)) return []
  const { pathname, searchParams } = new URL(secret)
  return [...pathname.split('/'), ...searchParams.values()].filter((piece) => piece.length >= shortestShown)
}

/**
 * What a receiver answered, without secrets. The answer is cut somewhere, so the beginning of a secret at its end is
 * hidden, too. Our own texts must not be treated like that, because a person who writes them could find out a secret
 * letter by letter.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [secret, ...piecesOf(secret)])
  const parts = partsOf(all)
  const left = hiding(all).inText(text)
  const cutAt = Math.min(...parts.map((part) => beginningAt(left, part)))
  return cutAt < left.length ? `${left.slice(0, cutAt)}${hidden}` : left
}

/** Where the beginning of a secret begins at the end of a text; the length of the text if nowhere. */
function beginningAt(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= shortestHidden; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return text.length - length
  return text.length
}

/**
 * Every text that must not be shown: the secrets themselves, and the parts of them that the headers of a request
 * contain.
 */
export function textsToHide(secrets: Config, headers: Readonly<Record<string, string>> = {}): string[] {
  const credentials = headers.authorization?.split(' ').at(-1)
  return [...textsIn(secrets), ...(credentials ? [credentials] : [])]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Throws if they were sealed with a different key. */
export const openSecrets = (seal: Seal, sealed: Buffer, secretId: string): Config =>
  JSON.parse(seal.open(sealed, secretId)) as Config

/** The same for a request, which can say what to do about it. */
export const secretsOrRefusal = (seal: Seal, sealed: Buffer, secretId: string): Config | Refusal =>
  seal.opens(sealed, secretId)
    ? openSecrets(seal, sealed, secretId)
    : refuse(
        'invalid_state',
        'The secrets of this destination cannot be read: they were encrypted with a different secret key. Start the service with that key.',
      )
