import { type Issue, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { Schedule } from '../../../platform/jobs/schedule.ts'
import { giveAgain, leadsElsewhere, shownEnd } from '../../../shown-secret.ts'
import { withoutUndefined } from '../../../without-undefined.ts'
import type { Encoding, FeedFormat, Mapping } from '../feeds/index.ts'
import { isFieldOf, type OrderMapping } from './orders/columns.ts'

export const maxSourcesPerProject = 20

export const sourceTypes = ['PRODUCTS', 'SUPPLEMENT', 'ORDERS'] as const
export type SourceType = (typeof sourceTypes)[number]

export const sourceModes = ['FULL', 'DELTA'] as const
export type SourceMode = (typeof sourceModes)[number]

/** What a supplement can set. */
export const supplementFields = ['cost', 'stock', 'salePrice', 'labels'] as const
export type SupplementField = (typeof supplementFields)[number]

/** When a sync is held instead of going live. Shares are fractions. */
export interface Guards {
  maxRemovedShare: number
  maxSkippedShare: number
  maxPriceShiftShare: number
  minItems: number
}

export const defaultGuards: Guards = {
  maxRemovedShare: 0.2,
  maxSkippedShare: 0.1,
  maxPriceShiftShare: 0.2,
  minItems: 1,
}

/** Orders are never removed, and have no prices that shift. */
const guardsOfOrders = ['maxSkippedShare'] as const

/** How the file is asked for. `secret` is whole where it is given, and its end where it is shown. */
export type Auth =
  | { type: 'BASIC'; username: string; secret?: string | undefined }
  | { type: 'BEARER'; secret?: string | undefined }
  | { type: 'HEADER'; header: string; secret?: string | undefined }

/** What a source says. */
export interface SourceContent {
  name: string
  /** Never changes. */
  type: SourceType
  mode: SourceMode
  format: FeedFormat | 'AUTO'
  encoding: Encoding
  url: string | null
  auth: Auth | null
  mapping: Mapping & OrderMapping
  defaultCurrency: string | null
  guards: Partial<Guards>
  schedule: Schedule | null
  envId: string | null
  fields: readonly SupplementField[] | null
  /** Changes with the secret. */
  secretId: string | null
}

/** The guards of a new source: what is not given has its default. */
export function guardsOf(type: SourceType, given: Partial<Guards> = {}): Partial<Guards> {
  const own = withoutUndefined(given)
  return type === 'ORDERS' ? { maxSkippedShare: defaultGuards.maxSkippedShare, ...own } : { ...defaultGuards, ...own }
}

/** What the fields of a source say about each other. */
export function refusesSource(content: SourceContent): Refusal | undefined {
  const { type, mode, format, url, auth, mapping, guards, schedule, envId, fields } = content
  const issues: Issue[] = []
  const refuse = (path: string[], message: string) => void issues.push({ path, message })
  if (type === 'ORDERS' && mode === 'FULL') refuse(['mode'], 'Must be DELTA: orders are never removed.')
  if (type === 'ORDERS' && (format === 'GOOGLE_XML' || format === 'SHOPIFY_JSON'))
    refuse(['format'], 'Orders are read from CSV, TSV and JSONL.')
  for (const name of Object.keys(mapping))
    if (!isFieldOf(type === 'ORDERS' ? 'ORDER' : 'ITEM', name))
      refuse(['mapping', name], `Is no field of ${type === 'ORDERS' ? 'an order' : 'an item'}.`)
  if (type !== 'ORDERS' && envId !== null) refuse(['envId'], 'Only a source of orders has an environment.')
  if (type === 'SUPPLEMENT' && (fields ?? []).length === 0)
    refuse(['fields'], 'A supplement needs the fields that it sets.')
  if (type !== 'SUPPLEMENT' && fields !== null) refuse(['fields'], 'Only a supplement has fields.')
  if (url === null && auth !== null) refuse(['auth'], 'Needs a url.')
  if (url === null && schedule !== null) refuse(['schedule'], 'Needs a url.')
  for (const name of Object.keys(guards))
    if (type === 'ORDERS' && !guardsOfOrders.some((each) => each === name))
      refuse(['guards', name], 'A source of orders does not have this guard.')
  for (const name of Object.keys(guardsOf(type)))
    if (guards[name as keyof Guards] === undefined)
      refuse(['guards', name], 'Must be given: guards are replaced as a whole.')
  return refuseIssues(issues)
}

/** An edit of how the file is asked for. */
export interface AuthEdit {
  /** As it is shown from now on. */
  shown: Auth | null
  /** The new secret; null if it stays, or if there is none any more. */
  secret: string | null
}

/**
 * What an edit of `auth` means. A secret that is left out, or given as it was shown, stays.
 *
 * @param before what was shown last; null if there was none
 */
export function authEdit(before: Auth | null, given: Auth | null): AuthEdit | Refusal {
  if (given === null) return { shown: null, secret: null }
  const { secret } = given
  if (secret === undefined || (before !== null && secret === before.secret)) {
    if (before === null) return refuseIssues([{ path: ['auth', 'secret'], message: 'Must be given.' }])!
    // A password can have signs that no other header can have, and a sealed one is not looked at.
    if (before.type === 'BASIC' && given.type !== 'BASIC')
      return refuseIssues([{ path: ['auth', 'secret'], message: 'Must be sent again, because it was a password.' }])!
    return { shown: { ...given, secret: before.secret }, secret: null }
  }
  if (given.type !== 'BASIC' && !/^[\x20-\x7e]+$/.test(secret))
    return refuseIssues([{ path: ['auth', 'secret'], message: 'Must have only letters, digits and signs of ASCII.' }])!
  return { shown: { ...given, secret: shownEnd(secret) }, secret }
}

/** A secret that stays is not sent to a host for which nobody gave it. */
export function refusesKeptSecret(
  before: Pick<SourceContent, 'url' | 'secretId'>,
  after: Pick<SourceContent, 'url' | 'secretId'>,
): Refusal | undefined {
  if (before.secretId === null || before.secretId !== after.secretId || !leadsElsewhere(before.url, after.url))
    return undefined
  return refuseIssues([{ path: ['auth', 'secret'], message: giveAgain }])
}

/** The header with which the file is asked for. */
export function credentialsOf(auth: Auth | null, secret: string | null): Record<string, string> {
  if (auth === null || secret === null) return {}
  if (auth.type === 'HEADER') return { [auth.header.toLowerCase()]: secret }
  if (auth.type === 'BEARER') return { authorization: `Bearer ${secret}` }
  return { authorization: `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}` }
}
