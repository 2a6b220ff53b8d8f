import type { Condition } from '@svc/core'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Edit, Reference } from '../versions/index.ts'

/** An audience whose edited conditions differ from those that are live in an environment. */
export interface StagedAudience {
  id: string
  shortId: number
  key: string
  name: string
  live: Condition
  draft: Condition
  /** The last edit of the conditions, if it is recorded. */
  edited: Edit | null
}

export async function stagedAudiences(db: Db, envId: string): Promise<StagedAudience[]> {
  const { rows } = await sql<StagedAudience>`${stagedIn(envId)}`.execute(db)
  return rows
}

export async function lockStagedAudiences(tx: Tx, envId: string): Promise<StagedAudience[]> {
  const { rows } = await sql<StagedAudience>`${stagedIn(envId)} for share of audiences`.execute(tx)
  return rows
}

const stagedIn = (envId: string) => sql`
  select audiences.id, short_id as "shortId", key, name, live, conditions as draft, conditions_by as edited
  from audience_environments join audiences on audiences.id = audience_id
  where env_id = ${envId} and live is distinct from conditions
  order by audiences.id`

export async function takeAudiencesLive(tx: Tx, envId: string, audienceIds: readonly string[]): Promise<void> {
  await sql`
    update audience_environments set live = conditions from audiences
    where env_id = ${envId} and audience_id = any(${[...audienceIds]}::uuid[]) and audiences.id = audience_id`.execute(
    tx,
  )
}

/** Which of these audiences and segments exist in the project. Locks them against deletion until the transaction ends. */
export async function lockReferenced(
  tx: Tx,
  projectId: string,
  references: readonly Pick<Reference, 'id' | 'kind'>[],
): Promise<Set<string>> {
  const idsOf = (wanted: Reference['kind']) =>
    references.filter(({ kind, id }) => kind === wanted && isId(id)).map(({ id }) => id)
  const known = new Set<string>()
  for (const [table, ids] of [
    ['audiences', idsOf('audience')],
    ['segments', idsOf('segment')],
  ] as const) {
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where project_id = ${projectId} and id = any(${ids}::uuid[])
      order by id for key share`.execute(tx)
    for (const { id } of rows) known.add(id)
  }
  return known
}

/** An audience is live if a live version names it, with its definition at that moment or at the last publish since. */
export async function holdAudiences(tx: Tx, envId: string, named: readonly string[]): Promise<void> {
  await sql`
    with dropped as (
      delete from audience_environments where env_id = ${envId}::uuid and audience_id <> all(${[...named]}::uuid[])
    ), present as (
      select id, conditions from audiences where id = any(${[...named]}::uuid[]) order by id for share
    )
    insert into audience_environments (env_id, audience_id, live)
    select ${envId}::uuid, id, conditions from present on conflict do nothing`.execute(tx)
}
