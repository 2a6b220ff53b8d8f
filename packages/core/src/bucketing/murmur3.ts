type State = { hash: number; block: number; length: number }

const asciiEnd = 0x80
const byteEnd = 0x100
let encoder: TextEncoder | undefined

/**
 * MurmurHash3 x86 32-bit of the UTF-8 bytes of a text; a lone surrogate counts as U+FFFD.
 * Source: Austin Appleby, SMHasher, MurmurHash3.cpp (public domain).
 *
 * @returns an unsigned 32-bit integer
 * @example murmur3('hello', 0) // 0x248bfa47
 */
export function murmur3(text: string, seed: number): number {
  return murmur3After(beginningOf('', seed), text)
}

/** {@link murmur3} of bytes. */
export function murmur3Bytes(bytes: Uint8Array, seed: number): number {
  return finish(absorb({ hash: seed, block: 0, length: 0 }, characters(bytes), byteEnd) as State)
}

/** The hash state after a common beginning of several texts, so that it is hashed once. */
export type Beginning = State

/**
 * Hashes the beginning of texts that go on differently.
 *
 * @example murmur3After(beginningOf('hel', 0), 'lo') // murmur3('hello', 0)
 */
export function beginningOf(text: string, seed: number): Beginning {
  return absorb({ hash: seed, block: 0, length: 0 }, utf8(text), byteEnd) as State
}

/** The hash of a beginning followed by a text. */
export function murmur3After(beginning: Beginning, text: string): number {
  return finish(absorb(beginning, text, asciiEnd) ?? (absorb(beginning, utf8(text), byteEnd) as State))
}

function utf8(text: string): string {
  encoder ??= new TextEncoder()
  return characters(encoder.encode(text))
}

/** Bytes as characters with the same codes, the form that `absorb` reads. */
function characters(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** The state after more bytes, given as characters; undefined if one of them is not below `end`. */
function absorb({ hash, block, length }: State, text: string, end: number): State | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= end) return undefined
    block |= code << (8 * length)
    length++
    if (length & 3) continue
    hash ^= scramble(block)
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
    block = 0
  }
  return { hash, block, length }
}

function finish({ hash, block, length }: State): number {
  let mixed = hash ^ scramble(block) ^ length
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
