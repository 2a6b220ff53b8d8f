import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '../src/catalogue/scopes.ts'
import type { Answer, TestService } from './service.ts'

type Method = Parameters<TestService['call']>[1]

export interface TestPerson {
  id: string
  name: string
  email: string
  /** A personal token. */
  token: string
  /** The header of requests from this person's browser. */
  cookie: string
  /** Calls as this person from the dashboard. */
  inSession(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

interface NewPerson {
  /** Default: Acme. Null: a member of no organization. */
  organization?: string | null
  /** The name of a role. */
  role?: string
  /** The only projects that the person sees; default: all. */
  projectIds?: string[]
}

/** A new account with a personal token and a session, and a membership in the organization. */
export async function newPerson(
  service: TestService,
  { organization = 'Acme', role = 'VIEWER', projectIds }: NewPerson = {},
): Promise<TestPerson> {
  const id = randomUUIDv7()
  const name = `${role} ${id.slice(-6)}`
  const email = `${id}@svc.test`
  const token = `svc_pat_${secret()}`
  const sessionSecret = secret()
  const cookie = `svc_session=${sessionSecret}`
  await sql`insert into users (id, email, name, created_at) values (${id}, ${email}, ${name}, now())`.execute(
    service.db,
  )
  if (organization) {
    await addToOrganization(service, id, { organization, role, projectIds })
  }
  await sql`
    insert into tokens (id, kind, user_id, name, secret_hash, created_at)
    values (${randomUUIDv7()}, 'PERSONAL', ${id}, 'laptop', ${hashOf(token)}, now())`.execute(service.db)
  await sql`
    insert into sessions (id, user_id, secret_hash, stage, created_at, authenticated_at, last_seen_at, expires_at)
    values (${randomUUIDv7()}, ${id}, ${hashOf(sessionSecret)}, 'SIGNED_IN', now(), now(), now(), now() + interval '1 day')`.execute(
    service.db,
  )
  return {
    id,
    name,
    email,
    token,
    cookie,
    inSession: (method, path, body, headers = {}) =>
      service.call(null, method, path, body, {
        cookie,
        'sec-fetch-site': 'same-origin',
        ...headers,
      }),
  }
}

export async function addToOrganization(
  service: TestService,
  userId: string,
  { organization, role, projectIds }: { organization: string; role: string; projectIds?: string[] | undefined },
): Promise<void> {
  await sql`
    insert into memberships (org_id, user_id, role_id, all_projects, created_at)
    select org.id, ${userId}::uuid, roles.id, ${projectIds === undefined}::boolean, now()
    from organizations org join roles on roles.org_id = org.id and roles.name = ${role}
    where org.name = ${organization}`.execute(service.db)
  await sql`
    insert into membership_projects (org_id, user_id, project_id)
    select org_id, ${userId}::uuid, id from projects where id = any(${projectIds ?? []}::uuid[])`.execute(service.db)
}

/** A service token of Acme with these scopes. */
export async function newServiceToken(service: TestService, scopes: readonly Scope[]): Promise<string> {
  const token = `svc_svc_${secret()}`
  await sql`
    insert into tokens (id, kind, org_id, name, scopes, secret_hash, created_at)
    select ${randomUUIDv7()}, 'SERVICE', id, ${scopes.join().slice(0, 50)}, ${[...scopes]}::text[], ${hashOf(token)}, now()
    from organizations where name = 'Acme'`.execute(service.db)
  return token
}

/** The ids of an organization's roles by name. */
export async function roleIds(service: TestService, organization = 'Acme'): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; id: string }>`
    select roles.name, roles.id from roles join organizations org on org.id = roles.org_id
    where org.name = ${organization}`.execute(service.db)
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]))
}

/** The audit entries of an object, oldest first. */
export async function auditOf(service: TestService, objectId: string) {
  const { rows } = await sql<{ action: string; actor: string; name: string; before: unknown; after: unknown }>`
    select action, actor_type as actor, object_name as name, before, after from audit_entries
    where object_id = ${objectId} order by seq`.execute(service.db)
  return rows
}

const secret = () => randomBytes(32).toString('base64url')
const hashOf = (text: string) => createHash('sha256').update(text).digest()
