import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'

export interface Project {
  id: string
  shortId: number
  orgId: string
  name: string
  type: 'FEATURE_FLAG'
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", org_id as "orgId", name, type, created_at as "createdAt",
  updated_at as "updatedAt"`

export async function findProject(db: Db, orgId: string, projectId: string): Promise<Project | undefined> {
  if (!isId(projectId)) return undefined
  const { rows } = await sql<Project>`
    select ${columns} from projects where id = ${projectId} and org_id = ${orgId}`.execute(db)
  return rows[0]
}

export async function findProjectByName(db: Db, orgId: string, name: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select ${columns} from projects where org_id = ${orgId} and name = ${name} order by id limit 1`.execute(db)
  return rows[0]
}

/** The first lock of every transaction that adds or removes a project's environments or flags. */
export async function lockProject(tx: Tx, orgId: string, projectId: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select ${columns} from projects where id = ${projectId} and org_id = ${orgId} for no key update`.execute(tx)
  return rows[0]
}

/** The next short id of a flag of the locked project. Short ids count the flags that ever were. */
export async function nextFlagShortId(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select next_flag_short_id as next from projects where id = ${projectId}`.execute(tx)
  return rows[0]?.next ?? 1
}

/** So many short ids are given out: a part of the statement that makes the flags. */
export const givingShortIds = (projectId: string, count: number): RawBuilder<unknown> => sql`
  update projects set next_flag_short_id = next_flag_short_id + ${count}::integer where id = ${projectId}::uuid`

/** While a change of a flag goes on in all environments of the project, there are no more and no fewer of them. */
export async function shareProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select from projects where id = ${projectId} for share`.execute(tx)
}

/** The projects that the member sees. */
export async function listProjects(
  db: Db,
  { organization, projects }: { organization: { id: string }; projects: ReadonlySet<string> | null },
  after: string | null,
  limit: number,
): Promise<Project[]> {
  const visible = projects && [...projects]
  const { rows } = await sql<Project>`
    select ${columns} from projects
    where org_id = ${organization.id} and (${visible}::uuid[] is null or id = any(${visible}::uuid[])) and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function insertProject(
  tx: Tx,
  row: { id: string; orgId: string; name: string; now: Date },
): Promise<Project> {
  const { rows } = await sql<Project>`
    with numbered as (
      update organizations set next_project_short_id = next_project_short_id + 1
      where id = ${row.orgId} returning next_project_short_id - 1 as short_id
    )
    insert into projects (id, org_id, short_id, name, type, created_at, updated_at)
    select ${row.id}::uuid, ${row.orgId}::uuid, numbered.short_id, ${row.name}::text, 'FEATURE_FLAG',
      ${row.now}::timestamptz, ${row.now}::timestamptz
    from numbered
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** A member who was given chosen projects sees the one of their own making as well. */
export async function showToCreator(tx: Tx, { orgId, id }: Project, userId: string): Promise<void> {
  await sql`
    insert into membership_projects (org_id, user_id, project_id)
    select org_id, user_id, ${id}::uuid from memberships
    where org_id = ${orgId} and user_id = ${userId} and not all_projects`.execute(tx)
}

export async function renameProject(tx: Tx, projectId: string, name: string, now: Date): Promise<void> {
  await sql`update projects set name = ${name}, updated_at = ${now} where id = ${projectId}`.execute(tx)
}
