import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'

/** Writes only the rows of a write, with pg in one transaction. It checks, reads, builds and serves nothing. */
export interface Prototype {
  createFlag(key: string): Promise<void>
  switchFlag(enabled: boolean): Promise<void>
  close(): Promise<void>
}

const connections = 8

/** Uses the product's own database, with its own project, after the product has left it. */
export async function openPrototype(url: string): Promise<Prototype> {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const one = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows[0]
  const orgId = (await one('select id from organizations')).id
  const projectId = randomUUID()
  await pool.query(
    `insert into projects (id, org_id, short_id, key, name, type, created_at, updated_at)
     values ($1, $2, 1000, 'prototype', 'Prototype', 'FEATURE_FLAG', now(), now())`,
    [projectId, orgId],
  )
  const environments = [randomUUID(), randomUUID()]
  for (const [index, id] of environments.entries())
    await pool.query(
      `insert into environments
         (id, project_id, name, key, color, built_in, protected, position, sdk_key, etag, created_at, updated_at)
       values ($1, $2, $3, $3, '#000000', true, false, $5, $4, '', now(), now())`,
      [id, projectId, `env-${index}`, `sdk_${randomBytes(24).toString('base64url')}`, index],
    )
  const version = JSON.stringify({ variations: [], overrides: {}, rules: [], filler: 'x'.repeat(400) })
  const fragment = `"flag":${JSON.stringify({ rules: [], filler: 'x'.repeat(130) })}`

  const inTransaction = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await work(client)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const publish = async (client: pg.PoolClient, envId: string, flagId: string) => {
    const { rows } = await client.query({
      name: 'environment',
      text: `update environments set revision = revision + 1, etag = $2, bytes = 1, published_at = now()
             where id = $1 returning revision`,
      values: [envId, randomBytes(32).toString('hex')],
    })
    const { revision } = rows[0]
    await client.query({
      name: 'revision',
      text: `with changed as (
               insert into revision_flags (env_id, revision, flag_id, key, name, kind, fragment, live)
               values ($1, $2, $3, 'key', 'Name', 'CHANGED', $4, $5)
             ), made as (
               insert into revisions (env_id, revision, published_at, etag, bytes) values ($1, $2, now(), '', 1)
             )
             select pg_notify('svc_prototype', $1::text)`,
      values: [envId, revision, flagId, fragment, version],
    })
  }
  const record = (client: pg.PoolClient, events: number) =>
    client.query({
      name: `record-${events}`,
      text: `with entry as (
               insert into audit_entries (id, org_id, project_id, at, actor_type, actor_name, action, object_type,
                 object_id, object_name, after)
               values ($1, $2, $3, now(), 'service_token', 'bench', 'flag.run', 'flag', $1, 'Flag', $4)
             ), counter as (
               insert into event_counters (project_id, last_seq) values ($3, ${events})
               on conflict (project_id) do update set last_seq = event_counters.last_seq + ${events} returning last_seq
             )
             insert into events (project_id, seq, id, org_id, name, payload, occurred_at)
             select $3, last_seq - ${events} + n, gen_random_uuid(), $2, 'flag.updated', $4, now()
             from counter, generate_series(1, ${events}) n`,
      values: [randomUUID(), orgId, projectId, version],
    })
  let lastFlag = ''
  let shortIds = 0
  return {
    createFlag: (key) =>
      inTransaction(async (client) => {
        const flagId = randomUUID()
        shortIds += 1
        const shortId = shortIds
        await client.query('select from projects where id = $1 for update', [projectId])
        await client.query({
          name: 'flag',
          text: `with flag as (
                   insert into flags (id, project_id, short_id, key, name, type, variations, default_variation_id, tags,
                     created_at, updated_at)
                   values ($1, $2, $3, $4, $4, 'BOOLEAN', $5, $1, '{}', now(), now())
                 )
                 insert into flag_environments (flag_id, env_id, draft, live, fragment)
                 select $1, unnest($6::uuid[]), $5, $5, $7`,
          values: [flagId, projectId, shortId, key, version, environments, fragment],
        })
        for (const envId of environments) await publish(client, envId, flagId)
        await record(client, 1 + environments.length)
        lastFlag = flagId
      }),
    switchFlag: (enabled) =>
      inTransaction(async (client) => {
        await client.query('select from environments where id = $1 for update', [environments[0]])
        await client.query({
          name: 'switch',
          text: `update flag_environments set enabled = $3, fragment = $4 where flag_id = $1 and env_id = $2`,
          values: [lastFlag, environments[0], enabled, fragment],
        })
        await publish(client, environments[0]!, lastFlag)
        await record(client, 2)
      }),
    close: () => pool.end(),
  }
}
