import { type RawBuilder, sql } from 'kysely'
import { keyPattern } from '../../../../fields.ts'
import type { PathNames } from '../../../../path-names.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'

/** What can name a row of a table besides its id. */
const nameOf = {
  projects: 'both',
  environments: 'key',
  flags: 'both',
  audiences: 'both',
  segments: 'both',
  metrics: 'key',
  exclusion_groups: 'both',
  holdouts: 'both',
  experiments: 'number',
  webhooks: 'key',
  integrations: 'key',
} as const
type Table = keyof typeof nameOf

const hasKey = (table: Table): boolean => nameOf[table] !== 'number'
const hasNumber = (table: Table): boolean => nameOf[table] !== 'key'

/** The ids for the names of a URL in the organization; undefined if one of them does not exist. */
export async function idsOfNames(db: Db, orgId: string, names: PathNames): Promise<PathNames | undefined> {
  const { projectId, envId, flagId, ruleId, audienceId, segmentId, metricId, groupId, holdoutId } = names
  const { experimentId, webhookId, destinationId } = names
  const { rows } = await sql<{ [Name in keyof PathNames]: string | null }>`
    select projects.id as "projectId", environments.id as "envId", flags.id as "flagId",
      ${ruleNamed(ruleId, envId === undefined)} as "ruleId", audiences.id as "audienceId", segments.id as "segmentId",
      metrics.id as "metricId",
      exclusion_groups.id as "groupId", holdouts.id as "holdoutId",
      experiments.id as "experimentId", webhooks.id as "webhookId",
      integrations.id as "destinationId"
    from projects
    left join environments on environments.project_id = projects.id and ${isNamed('environments', envId)}
    left join flags on flags.project_id = projects.id and ${isNamed('flags', flagId)}
    left join audiences on audiences.project_id = projects.id and ${isNamed('audiences', audienceId)}
    left join segments on segments.project_id = projects.id and ${isNamed('segments', segmentId)}
    left join metrics on metrics.project_id = projects.id and ${isNamed('metrics', metricId)}
    left join exclusion_groups on exclusion_groups.project_id = projects.id
      and ${isNamed('exclusion_groups', groupId)}
    left join holdouts on holdouts.project_id = projects.id and ${isNamed('holdouts', holdoutId)}
    left join experiments on experiments.project_id = projects.id and ${isNamed('experiments', experimentId)}
    left join webhooks on webhooks.project_id = projects.id and ${isNamed('webhooks', webhookId)}
    left join integrations on integrations.project_id = projects.id and ${isNamed('integrations', destinationId)}
    where projects.org_id = ${orgId} and ${isNamed('projects', projectId)}`.execute(db)
  const [found] = rows
  const wanted = Object.keys(names).filter(
    (name) => names[name as keyof PathNames] !== undefined,
  ) as (keyof PathNames)[]
  if (!found || wanted.some((name) => found[name] === null)) return undefined
  return Object.fromEntries(wanted.map((name) => [name, found[name]])) as unknown as PathNames
}

/**
 * The short id and the key of a rule are not in its row but in its definition. The draft comes first. Rules of different
 * environments can have the same key: where the address names no environment, it must be the key of one rule.
 */
function ruleNamed(name: string | undefined, isAnywhere: boolean): RawBuilder<unknown> {
  if (name === undefined || isId(name)) return sql`${name ?? null}::text`
  const isRule = shortIdPattern.test(name)
    ? sql`rule -> 'shortId' = ${name}::jsonb`
    : keyPattern.test(name)
      ? sql`rule ->> 'key' = ${name}`
      : sql`false`
  if (isAnywhere)
    return sql`(
      select case count(distinct rule -> 'id') when 1 then min(rule ->> 'id') end
      from flag_environments fe, ${rulesOf('fe')} rules (rule, place) where fe.flag_id = flags.id and ${isRule})`
  return sql`(
    select rule ->> 'id' from flag_environments fe, ${rulesOf('fe')} rules (rule, place)
    where fe.flag_id = flags.id and fe.env_id = environments.id and ${isRule} order by place limit 1)`
}

/** Every drafted and then every live rule of a row, with its place. */
const rulesOf = (row: string) =>
  sql`jsonb_array_elements((${sql.ref(`${row}.draft`)} -> 'rules') || (${sql.ref(`${row}.live`)} -> 'rules')) with ordinality`

/** Matches rows by id and by the other names of the table. */
function isNamed(table: Table, name: string | undefined): RawBuilder<unknown> {
  if (name === undefined) return sql`false`
  if (isId(name)) return sql`${sql.ref(`${table}.id`)} = ${name}::uuid`
  if (hasNumber(table) && shortIdPattern.test(name)) return sql`${sql.ref(`${table}.short_id`)} = ${Number(name)}`
  // Text that cannot be a key, for example with NUL, may not be valid text for the database either.
  return hasKey(table) && keyPattern.test(name) ? sql`${sql.ref(`${table}.key`)} = ${name}` : sql`false`
}

const shortIdPattern = /^[1-9]\d{0,8}$/

/** The fields of bodies and queries that name something of the project. */
const named: Record<string, Table | 'rules'> = {
  flagId: 'flags',
  flagIds: 'flags',
  envId: 'environments',
  copyFromEnvId: 'environments',
  sourceEnvId: 'environments',
  environmentIds: 'environments',
  ruleId: 'rules',
  ruleIds: 'rules',
  audienceId: 'audiences',
  audienceIds: 'audiences',
  metricId: 'metrics',
  exclusionGroupId: 'exclusion_groups',
  holdoutId: 'holdouts',
}

/** The fields of conditions that name something. */
const namedInConditions: Record<string, Table | 'rules'> = { audience: 'audiences', segment: 'segments' }

/** The fields with further bodies, and those with further conditions. */
const bodies = ['drafts', 'audiences', 'rules', 'overrides', 'ruleAllowlists']
const connectives = ['all', 'any', 'not']
/** Deeper bodies are refused anyway. */
const maxDepth = 40

/** Where names are looked up. Rules are those of the flag in the environment. */
interface NamingPlace {
  orgId: string
  projectId: string
  flagId?: string | undefined
  envId?: string | undefined
}

type IdOf = (table: Table | 'rules', name: string) => string

/**
 * A body or query with the ids of what it names by key or short id. A name that stands for nothing stays: the code that
 * reads the field refuses it, and says so at the field.
 */
export async function withIds<Sent>(db: Db, place: NamingPlace, sent: Sent): Promise<Sent> {
  if (Array.isArray(sent)) return sent
  const asked = new Map<Table | 'rules', Set<string>>()
  withEach(sent, (table, name) => {
    if (isId(name)) return name
    asked.set(table, (asked.get(table) ?? new Set()).add(name))
    return name
  })
  const ids = new Map<Table | 'rules', Map<string, string>>()
  for (const [table, names] of asked)
    if (table !== 'rules') ids.set(table, await idsIn(db, place, { table, names: [...names] }))
  const idOf: IdOf = (table, name) => ids.get(table)?.get(name) ?? (isId(name) ? name.toLowerCase() : name)
  const rules = asked.get('rules')
  if (rules) {
    const { flagId, envId } = sent as { flagId?: unknown; envId?: unknown }
    const ofFlag = place.flagId ?? (typeof flagId === 'string' ? idOf('flags', flagId) : undefined)
    const inEnvironment = place.envId ?? (typeof envId === 'string' ? idOf('environments', envId) : undefined)
    if (isId(ofFlag ?? '') && isId(inEnvironment ?? ''))
      ids.set('rules', await ruleIdsIn(db, { ...place, flagId: ofFlag!, envId: inEnvironment! }, [...rules]))
  }
  return withEach(sent, idOf)
}

/** The same body with what `idOf` gives for each name. */
function withEach<Sent>(sent: Sent, idOf: IdOf, inConditions = false, depth = 0): Sent {
  if (typeof sent !== 'object' || sent === null || depth > maxDepth) return sent
  const within = (value: unknown, isCondition: boolean) => withEach(value, idOf, isCondition, depth + 1)
  if (Array.isArray(sent)) return sent.map((each) => within(each, inConditions)) as Sent
  const tables = inConditions ? namedInConditions : named
  const replaced: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(sent)) {
    const table = Object.hasOwn(tables, field) ? tables[field] : undefined
    const id = (name: unknown) => (typeof name === 'string' ? idOf(table!, name) : name)
    if (table) replaced[field] = Array.isArray(value) ? value.map(id) : id(value)
    else if (field === 'conditions' || (inConditions && connectives.includes(field)))
      replaced[field] = within(value, true)
    else if (!inConditions && bodies.includes(field)) replaced[field] = within(value, false)
  }
  return Object.keys(replaced).length === 0 ? sent : { ...sent, ...replaced }
}

async function ruleIdsIn(
  db: Db,
  { orgId, projectId, flagId, envId }: NamingPlace,
  names: string[],
): Promise<Map<string, string>> {
  const numbers = names.filter((name) => shortIdPattern.test(name)).map(Number)
  const keys = names.filter((name) => keyPattern.test(name))
  const { rows } = await sql<{ id: string; key: string; number: number }>`
    select rule ->> 'id' as id, rule ->> 'key' as key, (rule -> 'shortId')::integer as number
    from flag_environments fe join flags on flags.id = fe.flag_id join projects on projects.id = flags.project_id,
      ${rulesOf('fe')} rules (rule, place)
    where projects.id = ${projectId} and projects.org_id = ${orgId} and fe.flag_id = ${flagId} and fe.env_id = ${envId}
      and (rule ->> 'key' = any(${keys}::text[]) or (rule -> 'shortId')::integer = any(${numbers}::integer[]))
    order by place desc`.execute(db)
  return new Map([
    ...rows.map(({ id, key }) => [key, id] as const),
    ...rows.map(({ id, number }) => [String(number), id] as const),
  ])
}

async function idsIn(
  db: Db,
  { orgId, projectId }: NamingPlace,
  { table, names }: { table: Table; names: string[] },
): Promise<Map<string, string>> {
  const keys = hasKey(table) ? names.filter((name) => keyPattern.test(name)) : []
  const numbers = hasNumber(table) ? names.filter((name) => shortIdPattern.test(name)) : []
  if (keys.length + numbers.length === 0) return new Map()
  const key = hasKey(table) ? sql.ref(`${table}.key`) : sql`null::text`
  const number = hasNumber(table) ? sql.ref(`${table}.short_id`) : sql`null::integer`
  const { rows } = await sql<{ id: string; key: string | null; number: number | null }>`
    select ${sql.ref(`${table}.id`)}, ${key} as key, ${number} as number
    from ${sql.table(table)} join projects on projects.id = ${sql.ref(`${table}.project_id`)}
    where projects.id = ${projectId} and projects.org_id = ${orgId}
      and (${key} = any(${keys}::text[]) or ${number} = any(${numbers.map(Number)}::integer[]))`.execute(db)
  return new Map([
    ...rows.flatMap(({ id, key }) => (key === null ? [] : [[key, id] as const])),
    ...rows.flatMap(({ id, number }) => (number === null ? [] : [[String(number), id] as const])),
  ])
}
