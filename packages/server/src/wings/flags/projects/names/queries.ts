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
  audiences: 'number',
  segments: 'number',
  metrics: 'key',
  exclusion_groups: 'both',
  holdouts: 'both',
  experiments: 'number',
} as const
type Table = keyof typeof nameOf

const hasKey = (table: Table): boolean => nameOf[table] !== 'number'
const hasNumber = (table: Table): boolean => nameOf[table] !== 'key'

/** The ids for the names of a URL in the organization; undefined if one of them does not exist. */
export async function idsOfNames(db: Db, orgId: string, names: PathNames): Promise<PathNames | undefined> {
  const { projectId, envId, flagId, ruleId, audienceId, segmentId, metricId, groupId, holdoutId, experimentId } = names
  const { rows } = await sql<{ [Name in keyof PathNames]: string | null }>`
    select projects.id as "projectId", environments.id as "envId", flags.id as "flagId",
      ${ruleNamed(ruleId)} as "ruleId", audiences.id as "audienceId", segments.id as "segmentId",
      metrics.id as "metricId",
      exclusion_groups.id as "groupId", holdouts.id as "holdoutId",
      experiments.id as "experimentId"
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
    where projects.org_id = ${orgId} and ${isNamed('projects', projectId)}`.execute(db)
  const [found] = rows
  const wanted = Object.keys(names).filter(
    (name) => names[name as keyof PathNames] !== undefined,
  ) as (keyof PathNames)[]
  if (!found || wanted.some((name) => found[name] === null)) return undefined
  return Object.fromEntries(wanted.map((name) => [name, found[name]])) as unknown as PathNames
}

/** The short id of a rule is not in its row but in its definition. */
function ruleNamed(name: string | undefined): RawBuilder<unknown> {
  if (name === undefined || !shortIdPattern.test(name)) return sql`${name ?? null}::text`
  return sql`(
    select rule ->> 'id' from flag_environments fe, jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
    where fe.flag_id = flags.id and fe.env_id = environments.id and rule -> 'shortId' = ${name}::jsonb limit 1)`
}

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
const named: Record<string, Table> = {
  flagId: 'flags',
  flagIds: 'flags',
  envId: 'environments',
  copyFromEnvId: 'environments',
  sourceEnvId: 'environments',
  audienceIds: 'audiences',
  metricId: 'metrics',
  exclusionGroupId: 'exclusion_groups',
  holdoutId: 'holdouts',
}

/**
 * A body or query with the ids of what it names by key or short id. A name that stands for nothing stays: the code that
 * reads the field refuses it, and says so at the field.
 */
export async function withIds<Sent>(db: Db, project: { orgId: string; projectId: string }, sent: Sent): Promise<Sent> {
  if (typeof sent !== 'object' || sent === null) return sent
  const replaced: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(sent)) {
    const table = Object.hasOwn(named, field) ? named[field] : undefined
    if (table === undefined || !(typeof value === 'string' || Array.isArray(value))) continue
    const names = [value].flat() as string[]
    const ids = await idsIn(db, project, { table, names: names.filter((name) => !isId(name)) })
    const found = names.map((name) => ids.get(name) ?? (isId(name) ? name.toLowerCase() : name))
    replaced[field] = Array.isArray(value) ? found : found[0]
  }
  return Object.keys(replaced).length === 0 ? sent : { ...sent, ...replaced }
}

async function idsIn(
  db: Db,
  { orgId, projectId }: { orgId: string; projectId: string },
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
