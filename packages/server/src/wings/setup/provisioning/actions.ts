import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { planFeatures } from '../../../catalogue/scopes.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { issueTexts, notingFields } from '../../../platform/issue-text.ts'
import type { Author } from '../../../platform/outbox.ts'
import { createProject, findProjectByName } from '../../flags/projects/index.ts'
import {
  createOrganization,
  findOrganizationByName,
  findRoleByName,
  findUserByEmail,
  hashPassword,
  insertMembership,
  insertUser,
} from '../../people/accounts/index.ts'
import { switchFeatures } from '../../people/organizations/index.ts'
import { insertRoleUnlessNamed } from '../../people/roles/index.ts'
import { hashOf, insertToken } from '../../people/tokens/index.ts'
import { lateExpiries, type Provisioning, provisioningSchema } from './schema.ts'

type OrganizationOf = Provisioning['organizations'][number]
/** The description of the first token says who created it and what to do with it. */
type FirstToken = OrganizationOf['serviceTokens'][number] & { createdBy: string; description: string; initial: true }
type MemberOf = OrganizationOf['members'][number]

/** Returns the content of the file, or every problem with the path of its field. */
export async function readProvisioning(
  path: string,
  now: Date,
): Promise<{ provisioning: Provisioning } | { problems: string[] }> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problems: [error instanceof SyntaxError ? `${path} must be JSON.` : `cannot read ${path} (${code}).`] }
  }
  const parsed = provisioningSchema.safeParse(content, { error: notingFields })
  if (!parsed.success) return { problems: issueTexts(parsed.error.issues, content, path) }
  const problems = lateExpiries(parsed.data, now)
  return problems.length > 0 ? { problems } : { provisioning: parsed.data }
}

const lockKey = 7_362_001

/** Creates missing things and leaves existing ones unchanged. Nodes that start together take turns. */
export async function provision(db: Db, by: Author, file: Provisioning): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(tx)
    for (const organization of file.organizations) await provisionOrganization(tx, by, organization)
  })
}

async function provisionOrganization(
  tx: Tx,
  by: Author,
  { name, features, notifications, roles, projects, members, serviceTokens }: OrganizationOf,
): Promise<void> {
  const { now } = by
  const existing = (await findOrganizationByName(tx, name))?.id
  const orgId =
    existing ?? (await createOrganization(tx, { name, features: features ?? planFeatures, notifications }, now))
  if (existing && features) await switchFeatures(tx, by, existing, features, 'on')
  for (const role of roles) await insertRoleUnlessNamed(tx, { ...role, id: newId(), orgId, builtIn: false, now })
  for (const project of projects)
    if (!(await findProjectByName(tx, orgId, project.name))) await createProject(tx, by, { orgId, name: project.name })
  for (const member of members) await provisionMember(tx, orgId, member, now)
  for (const { secret, ...token } of serviceTokens)
    await insertToken(
      tx,
      {
        ...token,
        id: newId(),
        kind: 'SERVICE',
        orgId,
        userId: null,
        secretHash: hashOf(secret),
        expiresAt: dateOf(token),
      },
      now,
    )
}

/** A user in two organizations is one user with two memberships. */
async function provisionMember(tx: Tx, orgId: string, member: MemberOf, now: Date): Promise<void> {
  const { email, name, password } = member
  let userId = (await findUserByEmail(tx, email))?.id
  if (!userId) {
    userId = newId()
    const passwordHash = password === undefined ? null : await hashPassword(password)
    await insertUser(tx, { id: userId, email, name, passwordHash, now })
  }
  const role = await findRoleByName(tx, orgId, member.role)
  if (!role) throw new Error(`the organization does not have the role ${member.role}`)
  await insertMembership(tx, { orgId, userId, roleId: role.id, now })
  for (const { secret, ...token } of member.personalTokens)
    await insertToken(
      tx,
      {
        ...token,
        id: newId(),
        kind: 'PERSONAL',
        orgId: null,
        userId,
        secretHash: hashOf(secret),
        scopes: null,
        expiresAt: dateOf(token),
      },
      now,
    )
}

const dateOf = ({ expiresAt }: { expiresAt: string | null }): Date | null => (expiresAt ? new Date(expiresAt) : null)

const initialTokenMs = 30 * 86_400_000

/** The minimum that an empty service needs: an organization and a token with all scopes, for a month. */
export function firstStart(secret: string, now: Date): Provisioning {
  const token: FirstToken = {
    name: 'initial',
    description: 'Token for the first steps. Revoke it once you have created your own tokens.',
    createdBy: 'the service at its first start',
    initial: true,
    secret,
    scopes: ['admin:*'],
    expiresAt: new Date(now.getTime() + initialTokenMs).toISOString(),
  }
  return {
    organizations: [
      {
        name: 'My organization',
        notifications: null,
        roles: [],
        projects: [],
        members: [],
        serviceTokens: [token],
      },
    ],
  }
}
