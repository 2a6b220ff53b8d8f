import { bodyFieldOf, nouns as nounRows, plainNouns } from '../../catalogue/nouns.ts'

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  default?: unknown
  example?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

/** Schemas by their names. */
export type Schemas = Readonly<Record<string, Schema>>

const id = '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00'
const moment = '2026-12-01T09:00:00.000Z'
const maxDepth = 16

/** Values that read better than the name of a type. */
const byName: Record<string, unknown> = {
  name: 'New checkout',
  key: 'new-checkout',
  description: 'One page in place of three',
  defaultVariationKey: 'off',
  variationKey: 'on',
  baselineVariationKey: 'off',
  value: 'true',
  email: 'ada@example.org',
  sdkKey: 'sdk_1f9c0a7e5b3d',
  url: 'https://example.org/hooks/svc',
  shortId: 1,
  position: 0,
  revision: 42,
  nextCursor: null,
  hasMore: false,
  color: '#3b5bdb',
  share: 500,
  weight: 5000,
  conditions: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] },
  bucketBy: 'targetingKey',
  attribute: 'country',
  previousRevision: 41,
  etag: '"sha256-132600c6a8ad760f0fe56ec6ac3ca9a6b8307c0d83dbd050de9cd40aeb615799"',
  path: 'rules.0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00.trafficAllocation',
  from: 2500,
  to: 5000,
  salt: '7kd93mfa',
  role: 'EDITOR',
  timezone: 'Europe/Amsterdam',
  note: 'Before the sale',
  comment: 'Half of the beta users',
  hypothesis: 'If checkout is one page, then more visitors pay',
  tags: 'checkout',
  scopes: 'flags:read',
  eventKey: 'order_paid',
  targetingKey: 'u-17',
  variation: 'on',
  flagKey: 'new-checkout',
  failureReason: null,
  disableReason: null,
  errorMessage: null,
}

const ada = { name: 'Ada Lovelace', type: 'user' }
/** Fields of an object in a field of this name, or in its list. */
const byOwner: Record<string, Record<string, unknown>> = {
  ...Object.fromEntries(
    plainNouns.map((noun) => {
      const { label, address } = nounRows[noun]
      return [bodyFieldOf(noun), { name: label, key: address.path.replace(/s$/, '') }]
    }),
  ),
  project: { name: 'Web shop', key: 'web-shop' },
  organization: { name: 'Acme', key: 'acme' },
  environment: { name: 'Production', key: 'production' },
  audience: { name: 'Beta users', key: 'beta-users' },
  segment: { name: 'VIP customers', key: 'vip-customers' },
  role: { name: 'Release manager' },
  rule: { name: 'Beta users in Benelux', key: 'beta-users-in-benelux' },
  metric: { name: 'Paid orders', key: 'order_paid' },
  experiment: { name: 'Shorter copy' },
  exclusionGroup: { name: 'Checkout tests', key: 'checkout-tests' },
  holdout: { name: 'Of this year', key: 'of-this-year' },
  variation: { name: 'On', key: 'on' },
  webhook: { name: 'Deploy log', key: 'deploy-log' },
  config: { url: 'https://chat.example.org/hooks/svc' },
  destination: { name: '#releases', key: 'releases', kind: 'SLACK' },
  token: { name: 'CI' },
  member: { name: 'Ada Lovelace' },
  owner: { name: 'Ada Lovelace', email: 'ada@example.org' },
  triggeredBy: ada,
  publishedBy: ada,
  declaredBy: ada,
  updatedBy: ada,
  actor: ada,
  by: ada,
}
/** Fields of the second entry of a list, where two that are alike would be refused. */
const bySecond: Record<string, Record<string, unknown>> = {
  variation: { name: 'Off', key: 'off', variationKey: 'off', value: 'false' },
}
/**
 * What a body says instead: what it creates beside what a new project has, and the keys of what it names, because
 * nobody knows the ids of others.
 */
const inBodies: Record<string, Record<string, unknown>> = {
  '': {
    flagId: 'new-checkout',
    flagIds: 'new-checkout',
    envId: 'production',
    sourceEnvId: 'development',
    ruleId: 'beta-users-in-benelux',
    ruleIds: 'beta-users-in-benelux',
    userIds: 'u-17',
    // No member of a new organization is known.
    owner: null,
    until: '2026-12-02T09:00:00.000Z',
  },
  environment: { name: 'Staging', key: 'staging' },
}
const byFormat: Record<string, string> = {
  'date-time': moment,
  uuid: id,
  email: 'ada@example.org',
  uri: 'https://example.org',
}

/**
 * @param name that of the schema, which says what it is about: a `CreateFlagBody` is about a flag. A body shows only
 * what is required, an answer shows everything.
 */
export function exampleOf(schema: Schema, schemas: Schemas, name = ''): unknown {
  const isBody = name.endsWith('Body')
  return exampleAt(schema, { schemas, isBody, owner: '', name: nounOf(name) ?? '', index: 0, depth: 0 })
}

/** The field whose values have an example of their own, from the end of the name of a schema. */
function nounOf(schemaName: string): string | undefined {
  const name = schemaName.replace(/(?:Body|Input|Answer)$/, '')
  return nouns.find((noun) => name.endsWith(`${noun[0]!.toUpperCase()}${noun.slice(1)}`))
}

/** The longest comes first. */
const nouns = Object.keys(byOwner).sort((one, other) => other.length - one.length)
const ownerOf = (field: string): string => field.replace(/s$/, '')

interface Place {
  schemas: Schemas
  isBody: boolean
  /** The field whose value has the field `name`. */
  owner: string
  name: string
  /** The place in a list. */
  index: number
  depth: number
}

function exampleAt(schema: Schema, place: Place): unknown {
  const { isBody, name, depth } = place
  const inner = (part: Schema, more: Partial<Place> = {}) => exampleAt(part, { ...place, ...more, depth: depth + 1 })
  if (schema.$ref !== undefined) return inner(...referred(schema.$ref, place))
  if (schema.examples?.length) return schema.examples[0]
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  if (depth > maxDepth) return null
  const choice = (schema.oneOf ?? schema.anyOf)?.find(({ type }) => type !== 'null')
  if (choice) return inner(choice)
  if (schema.properties)
    return objectOf(schema, isBody, (part, field) => inner(part, { owner: ownerOf(name), name: field }))
  const type = [schema.type].flat().find((each) => each !== 'null')
  if (type === 'array')
    return Array.from({ length: schema.minItems || Math.min(1, schema.maxItems ?? 1) }, (_none, each) =>
      inner(schema.items ?? {}, { index: each }),
    )
  if (type === 'object') return {}
  if (schema.type === 'null') return null
  const known = knownOf(place)
  if (known !== undefined && (type === undefined || fits(known, type))) return known
  if (schema.format && byFormat[schema.format]) return byFormat[schema.format]
  if (Object.hasOwn(byName, name) && (type === undefined || fits(byName[name], type))) return byName[name]
  if (/(?:^i|I)ds?$/.test(name)) return id
  if (type === 'boolean') return schema.default ?? true
  if (type === 'integer' || type === 'number') return schema.default ?? numberWithin(schema)
  return typeof schema.default === 'string' ? schema.default : type === 'string' ? 'text' : {}
}

/** A schema of an object says what its fields belong to, unless the field that it is in says it. */
function referred(ref: string, { schemas, name }: Place): [Schema, Partial<Place>] {
  const schemaName = ref.split('/').at(-1)!
  const schema = schemas[schemaName] ?? {}
  const isSaid = Object.hasOwn(byOwner, ownerOf(name)) || schema.properties === undefined
  return [schema, isSaid ? {} : { name: nounOf(schemaName) ?? name }]
}

function knownOf({ isBody, owner, name, index }: Place): unknown {
  const tables = [...(isBody ? [inBodies[owner], inBodies['']] : []), index > 0 ? bySecond[owner] : {}, byOwner[owner]]
  return tables.find((table) => table && Object.hasOwn(table, name))?.[name]
}

const fits = (value: unknown, type: string): boolean =>
  value === null || typeof value === (type === 'integer' ? 'number' : type)

function objectOf(
  { properties = {}, required = [] }: Schema,
  isBody: boolean,
  inner: (part: Schema, name: string) => unknown,
): object {
  const names = Object.keys(properties)
  const shown = isBody ? (required.length > 0 ? required : names.slice(0, 1)) : names
  return Object.fromEntries(shown.map((name) => [name, inner(properties[name] ?? {}, name)]))
}

const numberWithin = ({ minimum = 0, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): number => {
  const low = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  return Math.min(Math.max(1, low), maximum)
}
