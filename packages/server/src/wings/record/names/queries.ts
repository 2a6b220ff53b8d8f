import { type RawBuilder, sql } from 'kysely'
import { jobKindNames } from '../../../catalogue/jobs.ts'
import { type AuditedNoun, type StoredNoun, storedNouns } from '../../../catalogue/nouns.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isShown } from '../../model/flag-environments/index.ts'

export interface Place {
  id: string
  shortId: number
  key: string
  name: string
}

export interface Named {
  id: string
  kind: AuditedNoun
  name: string
  key: string | null
  shortId: number | null
  project: Place | null
  environment: Omit<Place, 'shortId'> | null
  flag: Place | null
}

interface Asked {
  orgId: string
  /** The projects that the caller sees. Null means all. */
  projects: readonly string[] | null
  kinds: readonly AuditedNoun[]
  ids: readonly string[]
}

interface LookUp {
  from: RawBuilder<unknown>
  /** Default: `each.id`. */
  id?: RawBuilder<unknown>
  /** Default: `each.name`. */
  name?: RawBuilder<unknown>
  key?: RawBuilder<unknown>
  shortId?: RawBuilder<unknown>
  projectId?: RawBuilder<unknown>
  envId?: RawBuilder<unknown>
  flagId?: RawBuilder<unknown>
  /** For a noun without a project: that it belongs to the organization. */
  belongsTo?: (orgId: string) => RawBuilder<unknown>
}

const projectId = sql`each.project_id`
const shortId = sql`each.short_id`
const called = (by: 'key' | 'number' | 'both'): Pick<LookUp, 'key' | 'shortId'> => ({
  ...(by !== 'number' && { key: sql`each.key` }),
  ...(by !== 'key' && { shortId }),
})
const isMember = (userId: RawBuilder<unknown>) => (orgId: string) =>
  sql`exists (select from memberships where user_id = ${userId} and org_id = ${orgId})`

const jobNamed = sql`
  coalesce(${JSON.stringify(jobKindNames)}::jsonb ->> each.kind, each.kind) || ': ' || each.source_name`

/**
 * How to find what is not simply a row of its project with name and key. A `user` is null, because it is found as a
 * `member`.
 */
const others: Record<Exclude<AuditedNoun, StoredNoun>, LookUp | null> & Partial<Record<StoredNoun, Partial<LookUp>>> = {
  organization: { from: sql`organizations`, shortId, belongsTo: (orgId) => sql`each.id = ${orgId}` },
  member: { from: sql`users`, belongsTo: isMember(sql`each.id`) },
  invitation: {
    from: sql`links`,
    name: sql`each.email`,
    belongsTo: (orgId) => sql`each.org_id = ${orgId} and each.kind = 'INVITATION'`,
  },
  role: { from: sql`roles`, belongsTo: (orgId) => sql`each.org_id = ${orgId}` },
  user: null,
  session: {
    from: sql`(select sessions.id, user_id, users.name from sessions join users on users.id = user_id)`,
    belongsTo: isMember(sql`each.user_id`),
  },
  service_token: { from: sql`tokens`, belongsTo: (orgId) => sql`each.org_id = ${orgId}` },
  personal_token: { from: sql`tokens`, belongsTo: isMember(sql`each.user_id`) },
  flag: { from: sql`(select * from flags where ${isShown})` },
  project: { projectId: sql`each.id` },
  environment: { envId: sql`each.id` },
  rule: {
    // The name, the key and the short id of a rule are in its definition.
    from: sql`(
      select rules.id, project_id, rules.flag_id, rules.env_id, rule ->> 'name' as name, rule ->> 'key' as key,
        (rule -> 'shortId')::integer as short_id
      from rules join flags on flags.id = rules.flag_id
        join flag_environments fe on fe.flag_id = rules.flag_id and fe.env_id = rules.env_id
        cross join lateral (
          select rule from jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
          where rule ->> 'id' = rules.id::text limit 1
        ) definition
      where ${isShown}
    )`,
    ...called('both'),
    projectId,
    envId: sql`each.env_id`,
    flagId: sql`each.flag_id`,
  },
  experiment: { envId: sql`each.env_id`, flagId: sql`each.flag_id` },
  catalog: {
    from: sql`(select catalogs.id, project_id, projects.name from catalogs join projects on projects.id = project_id)`,
    projectId,
  },
  job: { from: sql`jobs`, name: jobNamed, projectId },
}

const stored = storedNouns.map(({ noun, table, calledBy }) => {
  const lookUp: LookUp = { from: sql.table(table), ...called(calledBy), projectId, ...others[noun] }
  return [noun, lookUp] as const
})
const lookUps = { ...others, ...Object.fromEntries(stored) } as Record<AuditedNoun, LookUp | null>

/** A row of `projects` or `flags` as JSON; null if there is none, and for a hidden flag. */
export const place = (
  table: 'projects' | 'flags',
) => sql`case when ${sql.ref(`${table}.id`)} is not null and ${table === 'flags' ? isShown : sql`true`} then json_build_object(
  'id', ${sql.ref(`${table}.id`)}, 'shortId', ${sql.ref(`${table}.short_id`)}, 'key', ${sql.ref(`${table}.key`)},
  'name', ${sql.ref(`${table}.name`)}) end`

/** The nouns of these kinds in the organization that have one of the ids. */
export async function findNamed(db: Db, { orgId, projects, kinds, ids }: Asked): Promise<Named[]> {
  const asked = kinds.flatMap((kind) => {
    const lookUp = lookUps[kind]
    return lookUp ? [lookingUp(kind, lookUp, orgId, ids)] : []
  })
  if (asked.length === 0) return []
  const { rows } = await sql<Named>`
    select found.id, found.kind, found.name, found.key, found.short_id as "shortId", ${place('projects')} as project,
      case when env.id is not null then json_build_object('id', env.id, 'key', env.key, 'name', env.name) end
        as environment,
      ${place('flags')} as flag
    from (${sql.join(asked, sql` union all `)}) found
      left join projects on projects.id = found.project_id and projects.org_id = ${orgId}
      left join environments env on env.id = found.env_id
      left join flags on flags.id = found.flag_id
    where found.project_id is null or (projects.id is not null and ${isSeen(sql`projects.id`, projects)})`.execute(db)
  return rows
}

function lookingUp(kind: AuditedNoun, lookUp: LookUp, orgId: string, ids: readonly string[]): RawBuilder<unknown> {
  const { from, name = sql`each.name`, belongsTo } = lookUp
  const nothing = (type: string) => sql`null::${sql.raw(type)}`
  return sql`
    select each.id, ${kind}::text as kind, ${name} as name, ${lookUp.key ?? nothing('text')} as key,
      ${lookUp.shortId ?? nothing('integer')} as short_id, ${lookUp.projectId ?? nothing('uuid')} as project_id,
      ${lookUp.envId ?? nothing('uuid')} as env_id, ${lookUp.flagId ?? nothing('uuid')} as flag_id
    from ${from} each
    where each.id = any(${[...ids]}::uuid[]) and ${belongsTo?.(orgId) ?? sql`true`}`
}

/** The last entry of the audit log about each id, of these kinds. */
export async function findAudited(db: Db, { orgId, projects, kinds, ids }: Asked): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select asked.id, entry.object_type as kind, entry.object_name as name, null as key, null::integer as "shortId",
      ${place('projects')} as project, null as environment, null as flag
    from unnest(${[...ids]}::uuid[]) asked (id)
      cross join lateral (
        select object_type, object_name, project_id from audit_entries
        where org_id = ${orgId} and object_id = asked.id order by seq desc limit 1
      ) entry
      left join projects on projects.id = entry.project_id and projects.org_id = ${orgId}
    where entry.object_type = any(${[...kinds]}::text[])
      and (entry.project_id is null or ${isSeen(sql`entry.project_id`, projects)})`.execute(db)
  return rows
}

/** Whether the caller sees a project. `projects`: those that the caller sees; null for all. */
export const isSeen = (id: RawBuilder<unknown>, projects: readonly string[] | null): RawBuilder<unknown> =>
  projects === null ? sql`true` : sql`${id} = any(${[...projects]}::uuid[])`
