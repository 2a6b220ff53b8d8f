/** Longest text that is read as a version. */
export const versionMaxCharacters = 256

/** A version that was read: four numeric parts and the prerelease identifiers, none for a release. */
export type Version = { parts: Identifier[]; prerelease: Identifier[] }

type Identifier = bigint | string

const format = /^v?(\d+(?:\.\d+){0,3})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i
const padding = '.0.0.0'
const partCount = 4

/**
 * Compares two versions: one to four numeric parts, missing ones 0, a leading `v` allowed, prereleases by SemVer 2.0
 * (section 11), build metadata ignored.
 *
 * @returns -1, 0 or 1; undefined when either is not a version
 * @example compareVersions('1.10', '1.9.3') // 1
 */
export function compareVersions(left: string, right: string): number | undefined {
  const a = parseVersion(left)
  const b = parseVersion(right)
  return a && b && orderVersions(a, b)
}

/** Reads a version; anything else than a text in the format gives undefined. */
export function parseVersion(value: unknown): Version | undefined {
  if (typeof value !== 'string' || value.length > versionMaxCharacters) return undefined
  const match = format.exec(value)
  return match
    ? { parts: identifiers(match[1] + padding).slice(0, partCount), prerelease: match[2] ? identifiers(match[2]) : [] }
    : undefined
}

/** The order of two read versions: -1, 0 or 1. */
export function orderVersions(a: Version, b: Version): number {
  const released = Number(!a.prerelease.length) - Number(!b.prerelease.length)
  return orderLists(a.parts, b.parts) || released || orderLists(a.prerelease, b.prerelease)
}

// As bigint no number is too long to be compared exactly.
function identifiers(text: string): Identifier[] {
  return text.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part))
}

function orderLists(a: Identifier[], b: Identifier[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]
    if (right === undefined) return 1
    if (left !== right) return orderIdentifiers(left, right)
  }
  return a.length < b.length ? -1 : 0
}

function orderIdentifiers(a: Identifier, b: Identifier): number {
  const numericFirst = Number(typeof b === 'bigint') - Number(typeof a === 'bigint')
  return numericFirst || (a < b ? -1 : 1)
}
