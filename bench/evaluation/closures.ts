// The limit for the product: the same work by hand, in closures made for each flag.
import { countries, emailSuffix, fourKeys, type Piece, type User } from './work.ts'

/** A flag that returns only a value. */
export type Bare = (user: User) => boolean | string

/** A flag that returns a value with details, applies overrides and records exposures. */
export type Detailed = (user: User) => Details

type Details = { value: boolean | string; variationKey: string; ruleId: string | null; reason: string }

const inCountry = new Set(countries)
const ringSize = 1024
const ring: { details: Details; user: string }[] = Array.from({ length: ringSize }, () => ({
  details: { value: false, variationKey: '', ruleId: null, reason: '' },
  user: '',
}))
let ringEnd = 0

export function bareOf({ key, kind }: Piece): Bare {
  if (kind === 'a') return () => true
  const start = beginning(`${key}.`)
  if (kind === 'b') return (user) => targets(user) && bucket(start, user.targetingKey) < 5000
  return (user) => fourKeys[quarter(bucket(start, user.targetingKey))] as string
}

export function detailedOf({ key, kind }: Piece): Detailed {
  const overrides = new Map<string, Details>()
  const ruleId = `r-${key}`
  const start = beginning(`${key}.`)
  const decide = {
    a: (): Details => ({ value: true, variationKey: 'on', ruleId: null, reason: 'DEFAULT' }),
    b: (user: User): Details =>
      targets(user) && bucket(start, user.targetingKey) < 5000
        ? { value: true, variationKey: 'on', ruleId, reason: 'TARGETING_MATCH' }
        : { value: false, variationKey: 'off', ruleId: null, reason: 'DEFAULT' },
    c: (user: User): Details => {
      const value = fourKeys[quarter(bucket(start, user.targetingKey))] as string
      return { value, variationKey: value, ruleId, reason: 'SPLIT' }
    },
  }[kind]
  return (user) => {
    const details = overrides.get(user.targetingKey) ?? decide(user)
    const slot = ring[ringEnd++ % ringSize]
    if (slot) {
      slot.details = details
      slot.user = user.targetingKey
    }
    return details
  }
}

const quarter = (bucket: number): number => (bucket < 2500 ? 0 : bucket < 5000 ? 1 : bucket < 7500 ? 2 : 3)

const targets = (user: User): boolean =>
  inCountry.has(user.country) && reachesVersion(user.version) && user.email.endsWith(emailSuffix)

/** Whether the version is at least 2.5.0. It must consist of three numbers. */
function reachesVersion(version: string): boolean {
  let parts = 0
  let part = 0
  for (let i = 0; i < version.length; i++) {
    const code = version.charCodeAt(i)
    if (code === 46) {
      parts = parts * 1000 + part
      part = 0
    } else part = part * 10 + code - 48
  }
  return parts * 1000 + part >= 2_005_000
}

type Beginning = { hash: number; block: number; length: number }

function beginning(text: string): Beginning {
  const begun = { hash: 1, block: 0, length: 0 }
  for (const character of text) absorb(begun, character.charCodeAt(0))
  return begun
}

/** MurmurHash3 of ASCII text, continued from the part that all units share. */
function bucket({ hash, block, length }: Beginning, unit: string): number {
  const state = { hash, block, length }
  for (let i = 0; i < unit.length; i++) absorb(state, unit.charCodeAt(i))
  let mixed = state.hash ^ scramble(state.block) ^ state.length
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) * 10_000) / 2 ** 32)
}

function absorb(state: Beginning, byte: number): void {
  state.block |= byte << (8 * state.length)
  state.length++
  if (state.length & 3) return
  const mixed = state.hash ^ scramble(state.block)
  state.hash = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
  state.block = 0
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
