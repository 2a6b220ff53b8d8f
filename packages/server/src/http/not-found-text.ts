import { cut } from '../platform/issue-text.ts'

const nouns: Record<string, string> = {
  env: 'environment',
  group: 'exclusion group',
  org: 'organization',
  sdkKey: 'SDK key',
}

/** A name in an address, and its parameter, such as `flagId`. */
export interface Named {
  param: string
  name: string
}

/** What an address names that does not exist for the caller. */
export interface Missing {
  /** The first name that is missing, several if the caller cannot know which of them is, none if all exist. */
  names: readonly Named[]
  /** The key that was probably meant. */
  meant?: string
  /** Keys of the same noun, where the caller can list them. */
  there?: { keys: readonly string[]; hasMore: boolean }
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
 * Says what was not found. It is the same for what is missing and for what the caller cannot see.
 *
 * @param pattern see `namesIn`
 * @param sent all names of the address
 */
export function notFoundText(pattern: string, sent: readonly Named[], { names, meant, there }: Missing): string {
  const [first, ...others] = names.map(({ param, name }) => `${nounOf(param)} ${quoted(name)}`)
  if (first === undefined) return lackText(pattern, sent)
  if (others.length > 0)
    return `Not found: ${[first, ...others].join(', ')}. Check each of them, and what the credential can see.`
  const text = `${capital(first)} was not found.`
  if (meant !== undefined) return `${text} Did you mean ${quoted(meant)}?`
  if (!there || there.keys.length === 0) return text
  return `${text} ${whereOf(names[0]!.param)} ${there.keys.join(', ')}${there.hasMore ? ' and more' : ''}.`
}

/** All names exist, but the last one does not have what follows it: `/projects/:projectId/web-settings`. */
function lackText(pattern: string, sent: readonly Named[]): string {
  const last = pattern.split('/').at(-1)!
  const owner = sent.at(-1)
  if (!owner || last.startsWith(':')) return 'Resource not found.'
  return `${capital(nounOf(owner.param))} ${quoted(owner.name)} has no ${last.replaceAll('-', ' ')}.`
}

const whereOf = (param: string): string =>
  param === 'projectId' ? 'You can see' : param === 'ruleId' ? 'The flag has' : 'The project has'

const quoted = (name: string): string => JSON.stringify(cut(name))

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
