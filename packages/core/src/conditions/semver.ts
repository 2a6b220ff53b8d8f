/** Maximum length of a version. Longer texts are not versions. */
export const versionMaxCharacters = 256

/**
 * A parsed version. Versions of up to three numbers below 2^17 and nothing else, as nearly all are, become one number,
 * without allocation. Other versions become a string that sorts in version order.
 */
export type Version = number | string

const format = /^v?(\d+(?:\.\d+){0,3})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i
const partCount = 4
const packedParts = 3
const packedPartEnd = 2 ** 17

/**
 * Compares two versions. A version has one to four numeric parts and can begin with `v`. Missing parts count as 0.
 * Prereleases compare as in SemVer 2.0 (section 11). Build metadata is ignored.
 *
 * @returns -1, 0 or 1; undefined if either is not a version
 * @example compareVersions('1.10', '1.9.3') // 1
 */
export function compareVersions(left: string, right: string): number | undefined {
  const a = parseVersion(left)
  const b = parseVersion(right)
  return a === undefined || b === undefined ? undefined : Math.sign(orderVersions(a, b))
}

/** Reads a version in the format of {@link compareVersions}; undefined for any other value. */
export function parseVersion(value: unknown): Version | undefined {
  if (typeof value !== 'string' || value.length > versionMaxCharacters) return undefined
  return pack(value) ?? sortable(value)
}

/** Compares two parsed versions: the result is below, equal to or above 0. */
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

// A space sorts before all characters of identifiers, a tilde after them. So shorter lists come first, numbers come
// before words, and a release comes after its prereleases. Numbers are padded to one length.
function sortable(text: string): string | undefined {
  const [, release, prerelease] = format.exec(text) ?? []
  if (!release) return undefined
  const parts = `${release}.0.0.0`.split('.').slice(0, partCount)
  return [...parts, ...(prerelease?.split('.') ?? ['~'])]
    .map((part) => (/^\d+$/.test(part) ? ` ${part.padStart(versionMaxCharacters, '0')}` : part))
    .join(' ')
}
