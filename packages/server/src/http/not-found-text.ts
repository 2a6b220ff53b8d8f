import { cut } from '../platform/issue-text.ts'

const nouns: Record<string, string> = {
  env: 'environment',
  group: 'exclusion group',
  org: 'organization',
  sdkKey: 'SDK key',
}

/**
 * What an address names, for an answer that it was not found.
 *
 * @param pattern such as `/projects/:projectId/flags/:flagId`
 * @param address as the caller sent it
 */
export function notFoundText(pattern: string, address: string): string {
  const parts = address.split(/[?#]/)[0]!.split('/')
  const names = pattern.split('/').flatMap((part, index) => {
    const [, name] = /^:(\w+)/.exec(part) ?? []
    return name ? [`${nounOf(name)} ${JSON.stringify(cut(decoded(parts[index] ?? '')))}`] : []
  })
  if (names.length === 0) return 'Resource not found.'
  if (names.length === 1) return `${names[0]![0]!.toUpperCase()}${names[0]!.slice(1)} was not found.`
  return `Not found: ${names.join(', ')}. Check each of them, and what the credential can see.`
}

function nounOf(name: string): string {
  const noun = name.replace(/Id$/, '')
  return nouns[noun] ?? noun.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
