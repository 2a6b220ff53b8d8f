/** Longest text that is read as a version. */
export const versionMaxCharacters = 256

/**
 * A version that was read. Up to three numbers below 2^17 and nothing else, as nearly all are, in one number: read
 * without allocation. Any other as a text that sorts as versions do.
 */
export type Version = number | string

const format = /^v?(\d+(?:\.\d+){0,3})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i
const partCount = 4
const packedParts = 3
const packedPartEnd = 2 ** 17

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
  return a === undefined || b === undefined ? undefined : Math.sign(orderVersions(a, b))
}

/** Reads a version; anything else than a text in the format gives undefined. */
export function parseVersion(value: unknown): Version | undefined {
  if (typeof value !== 'string' || value.length > versionMaxCharacters) return undefined
  return pack(value) ?? sortable(value)
}

/** The order of two read versions: below, at or above 0. */
export function orderVersions(a: Version, b: Version): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [unpack(a), unpack(b)]
  return Number(left > right) - Number(left < right)
}

function pack(text: string): number | undefined {
  let packed = 0
  let part = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit >= 0 && digit <= 9) {
      part = part * 10 + digit
      digits++
    } else if (digit === -2 && digits && ++dots < packedParts) {
      packed = packed * packedPartEnd + part
      part = digits = 0
    } else return undefined
    if (part >= packedPartEnd) return undefined
  }
  return digits ? (packed * packedPartEnd + part) * packedPartEnd ** (packedParts - 1 - dots) : undefined
}

function unpack(version: Version): string {
  if (typeof version === 'string') return version
  const parts = [packedPartEnd ** 2, packedPartEnd, 1].map((unit) => Math.floor(version / unit) % packedPartEnd)
  return sortable(parts.join('.')) as string
}

// A blank sorts before what identifiers are made of, a tilde after it: so shorter lists come first, numbers before
// words, and a release after its prereleases. All numbers are of one length, and none is too long to be compared.
function sortable(text: string): string | undefined {
  const [, release, prerelease] = format.exec(text) ?? []
  if (!release) return undefined
  const parts = `${release}.0.0.0`.split('.').slice(0, partCount)
  return [...parts, ...(prerelease?.split('.') ?? ['~'])]
    .map((part) => (/^\d+$/.test(part) ? ` ${part.padStart(versionMaxCharacters, '0')}` : part))
    .join(' ')
}
