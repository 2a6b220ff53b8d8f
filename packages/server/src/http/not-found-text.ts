import { cut } from '../platform/issue-text.ts'

const nouns: Record<string, string> = {
  env: 'environment',
  group: 'exclusion group',
  org: 'organization',
  record: 'delivery',
  sdkKey: 'SDK key',
  user: 'member',
  variationKey: 'variation',
}

/** A name in an address, and its parameter, such as `flagId`. */
export interface Named {
  param: string
  name: string
}

/** A route, with its names as in `namesIn`. */
interface Called {
  method: string
  pattern: string
}

/** What an address names that does not exist for the caller. */
export interface Missing {
  /** The first name that is missing, several if the caller cannot know which of them is, none if all exist. */
  names: readonly Named[]
  /** The key that was probably meant. */
  meant?: string
  /** Keys of the same noun, where the caller can list them. */
  there?: { keys: readonly string[]; hasMore: boolean }
  /** Several environments have a rule with the key, and the address names no environment. */
  isAmbiguous?: boolean
}

/**
 * The names in an address, from left to right.
 *
 * @param pattern such as `/projects/:projectId/flags/:flagId`
 * @param address as the caller sent it
 */
export function namesIn(pattern: string, address: string): Named[] {
  const parts = address.split(/[?#]/)[0]!.split('/')
  return pattern.split('/').flatMap((part, index) => {
    const [, param] = /^:(\w+)/.exec(part) ?? []
    return param ? [{ param, name: decoded(parts[index] ?? '') }] : []
  })
}

/**
 * Says what was not found. It is the same for what is missing and for what the caller cannot see. Undefined if all names
 * exist and the address does not say what they lack.
 *
 * @param sent all names of the address
 */
export const notFoundText = (called: Called, sent: readonly Named[], missing: Missing): string | undefined =>
  missing.names.length === 0 ? lackText(called, sent) : missingText(missing)

/** Says which of at least one name is missing. */
export function missingText({ names, meant, there, isAmbiguous }: Missing): string {
  const [first, ...others] = names.map(({ param, name }) => `${nounOf(param)} ${quoted(name)}`)
  if (others.length > 0)
    return `Not found: ${[first, ...others].join(', ')}. Check each of them, and what the credential can see.`
  if (isAmbiguous) return `Several environments have a ${first}. Send the number or the id of one of them instead.`
  const text = `${capital(first!)} was not found.`
  if (meant !== undefined) return `${text} Did you mean ${quoted(meant)}?`
  if (!there || there.keys.length === 0) return text
  return `${text} ${whereOf(names[0]!.param)} ${there.keys.join(', ')}${there.hasMore ? ' and more' : ''}.`
}

/**
 * All names exist, but the last one does not have what follows it: `/projects/:projectId/web-settings`. What follows it is
 * often a verb where something is done, and what cannot be deleted may only be over.
 */
function lackText({ method, pattern }: Called, sent: readonly Named[]): string | undefined {
  const last = pattern.split('/').at(-1)!
  const owner = sent.at(-1)
  if (!owner || last.startsWith(':') || method === 'POST' || method === 'DELETE') return undefined
  return `${capital(nounOf(owner.param))} ${quoted(owner.name)} has no ${last.replaceAll('-', ' ')}.`
}

const whereOf = (param: string): string =>
  param === 'projectId' ? 'You can see' : param === 'ruleId' ? 'The flag has' : 'The project has'

/** What controls a terminal or reverses text is escaped, which JSON does only with some of it. */
const quoted = (name: string): string =>
  JSON.stringify(cut(name)).replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`

function nounOf(param: string): string {
  const noun = param.replace(/Id$/, '')
  return nouns[noun] ?? noun.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
