import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../testing/databases/database.ts'
import { compose } from '../../../compose.ts'
import { ConfigError, readConfig } from '../../../config.ts'

const secret = (prefix: string, letter: string) => prefix + letter.repeat(43)
const dayMs = 86_400_000
const serviceToken = secret('svc_svc_', 'a')
const personalToken = secret('svc_pat_', 'b')

const organization = {
  name: 'Acme',
  projects: [{ name: 'Web shop' }],
  roles: [{ name: 'Release manager', capabilities: ['manage_projects'] }],
  members: [
    {
      email: 'Olive@Acme.test',
      name: 'Olive Owner',
      password: 'correct horse battery',
      role: 'OWNER',
      personalTokens: [{ name: 'laptop', secret: personalToken }],
    },
    { email: 'rita@acme.test', name: 'Rita', role: 'Release manager' },
  ],
  serviceTokens: [{ name: 'ci', secret: serviceToken, scopes: ['flags:read'], expiresAt: null }],
}

/** Starts the service on a database with a provisioning file; `file` null means none. */
async function start(address: { url?: string; dataDir: string }, file: unknown) {
  const path = join(address.dataDir, 'bootstrap.json')
  await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file))
  const { config } = readConfig({
    SVC_DATA_DIR: address.dataDir,
    SVC_SECRET_KEY: secret('', 'A'),
    ...(file !== null && { SVC_BOOTSTRAP_FILE: path }),
    ...(address.url && { SVC_DATABASE_URL: address.url }),
  })
  const service = await compose(config, pino({ level: 'silent' }))
  const get = async (token: string, url: string, headers = {}) =>
    (await service.app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })).json()
  return { ...service, get }
}

const contentOf = async (service: { database: { db: Parameters<ReturnType<typeof sql>['execute']>[0] } }) => {
  const { rows } = await sql`
    select (select json_agg(o order by id) from organizations o) as organizations,
      (select json_agg(r order by id) from roles r) as roles, (select json_agg(u order by id) from users u) as users,
      (select json_agg(m order by user_id, org_id) from memberships m) as memberships,
      (select json_agg(json_build_array(id, name, kind, scopes, expires_at) order by id) from tokens) as tokens,
      (select json_agg(p order by id) from projects p) as projects,
      (select count(*)::integer from environments) as environments,
      (select count(*)::integer from audit_entries) as entries`.execute(service.database.db)
  return rows[0]
}

const features = ['integrations_api_export']
const adminToken = secret('svc_svc_', 'c')
/** An organization without features, whose token lives for almost the longest possible time. */
const plain = {
  name: 'Plain',
  features: [] as string[],
  serviceTokens: [
    {
      name: 'ci',
      secret: adminToken,
      scopes: ['admin:*'],
      expiresAt: new Date(Date.now() + 364 * dayMs).toISOString(),
    },
  ],
}

describe('the starts of a service', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.remove())
  const starting = (...organizations: object[]) => start(database.address, { organizations })

  test('a start creates the contents of the file, and a second start changes nothing', async () => {
    const first = await starting(organization, plain)
    const before = await contentOf(first)
    expect(await first.get(serviceToken, '/api/v1/me')).toMatchObject({ data: { name: 'ci', scopes: ['flags:read'] } })
    expect(await first.get(personalToken, '/api/v1/me')).toMatchObject({
      data: { role: { name: 'OWNER' }, user: { email: 'olive@acme.test', name: 'Olive Owner' } },
    })
    expect(await first.get(personalToken, '/api/v1/projects')).toMatchObject({
      data: [{ name: 'Web shop', shortId: 1 }],
    })
    expect(await first.get(adminToken, '/api/v1/me'), 'a token can live for a year').toMatchObject({
      data: { name: 'ci', scopes: ['admin:*'] },
    })
    expect(before).toMatchObject({
      organizations: [{ features }, { features: [] }],
      users: [{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$/) }, { password_hash: null }],
      environments: 2,
      entries: 1,
    })
    await first.close()

    const second = await starting(organization, plain)
    expect(await contentOf(second)).toEqual(before)
    await second.close()
  })

  test('existing things stay unchanged, also features that the file does not have, and missing ones are created', async () => {
    const changed = {
      ...organization,
      features: [],
      projects: [{ name: 'Web shop' }, { name: 'App' }],
      members: [{ ...organization.members[0], name: 'Renamed', role: 'VIEWER' }],
      serviceTokens: [{ name: 'renamed', secret: serviceToken, scopes: [] }],
    }
    const { features: _features, ...silent } = plain
    const other = { name: 'Other', members: [{ email: 'olive@acme.test', name: 'O', role: 'ANALYST' }] }
    const service = await starting(changed, silent, other)
    expect(await service.get(serviceToken, '/api/v1/me')).toMatchObject({
      data: { name: 'ci', scopes: ['flags:read'] },
    })
    const me = await service.get(personalToken, '/api/v1/me', { 'svc-org-id': '1' })
    expect(me).toMatchObject({ data: { user: { name: 'Olive Owner' }, role: { name: 'OWNER' } } })
    const there = await service.get(personalToken, '/api/v1/me', { 'svc-org-id': '3' })
    expect(there).toMatchObject({ data: { user: { id: me.data.user.id }, role: { name: 'ANALYST' } } })
    const { data } = await service.get(personalToken, '/api/v1/projects', { 'svc-org-id': '1' })
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['App', 'Web shop'])
    expect(await contentOf(service)).toMatchObject({ organizations: [{ features }, { features: [] }, { features }] })
    await service.close()
  })

  test('a new feature in the file is turned on and recorded once', async () => {
    await (await starting({ ...plain, features })).close()
    const service = await starting({ ...plain, features })
    expect(await contentOf(service)).toMatchObject({ organizations: [{}, { features }, {}] })
    const { data } = await service.get(adminToken, '/api/v1/audit?action=organization.')
    expect(data).toMatchObject([{ action: 'organization.update', before: { features: [] }, after: { features } }])
    expect(data).toHaveLength(1)
    await service.close()
  })
})

const acme = (edit: object) => ({ organizations: [{ ...organization, ...edit }] })
const member = (edit: object) => acme({ members: [{ ...organization.members[0], ...edit }] })
const token = (edit: object) => acme({ serviceTokens: [{ ...organization.serviceTokens[0], ...edit }] })

const badFiles: [string, unknown, RegExp][] = [
  ['is not JSON', '{', /bootstrap\.json must be JSON\./],
  ['is a list', [], /bootstrap\.json must be an object \(got an array\)/],
  ['has no organizations', {}, /organizations is required\./],
  ['has an unknown field', { organizations: [], users: [] }, /users is not a known field\./],
  ['has an organization without a name', acme({ name: ' ' }), /organizations\[0\]\.name (?:must|is) /],
  ['has an unknown feature', acme({ features: ['all'] }), /organizations\[0\]\.features\[0\] (?:must|is) /],
  [
    'has an unknown capability',
    acme({ roles: [{ name: 'R', capabilities: ['fly'] }] }),
    /roles\[0\]\.capabilities\[0\] (?:must|is) /,
  ],
  [
    'redefines a built-in role',
    acme({ roles: [{ name: 'OWNER', capabilities: [] }] }),
    /organizations\[0\]\.roles\[0\]\.name (?:must|is) /,
  ],
  [
    'has a member with an unknown role',
    member({ role: 'BOSS' }),
    /organizations\[0\]\.members\[0\]\.role (?:must|is) .*BOSS/,
  ],
  ['has an invalid address', member({ email: 'olive' }), /organizations\[0\]\.members\[0\]\.email (?:must|is) /],
  ['has a short password', member({ password: 'hunter2' }), /organizations\[0\]\.members\[0\]\.password (?:must|is) /],
  [
    'has an invalid personal token',
    member({ personalTokens: [{ name: 'x', secret: serviceToken }] }),
    /personalTokens\[0\]\.secret (?:must|is) /,
  ],
  [
    'has an invalid secret',
    token({ secret: `${serviceToken}hunter2` }),
    /organizations\[0\]\.serviceTokens\[0\]\.secret (?:must|is) /,
  ],
  [
    'has an unknown scope',
    token({ scopes: ['flags:read', 'flags:fly'] }),
    /serviceTokens\[0\]\.scopes\[1\] (?:must|is) /,
  ],
  [
    'has a token that lives for over a year',
    token({ expiresAt: new Date(Date.now() + 366 * dayMs).toISOString() }),
    /serviceTokens\[0\]\.expiresAt must be at most a year from now, .* \(got 20/,
  ],
  ['has an invalid expiry', token({ expiresAt: 'tomorrow' }), /serviceTokens\[0\]\.expiresAt (?:must|is) /],
]

test('a bad file stops the start with the path of the field and without secrets', async () => {
  const { address, remove } = await createTestDatabase()
  for (const [what, file, path] of badFiles) {
    const failure = await start(address, file).catch((error: unknown) => error)
    expect(failure, what).toBeInstanceOf(ConfigError)
    const { message } = failure as ConfigError
    expect(message, what).toMatch(path)
    expect(message, what).toMatch(/^SVC_BOOTSTRAP_FILE: /)
    expect(message, what).not.toMatch(/hunter2|correct horse|aaaaaaa/)
  }
  const both = await start(address, { organizations: [{ name: '' }, { name: 7 }] }).catch((error: ConfigError) => error)
  expect((both as ConfigError).problems).toHaveLength(2)
  const missing = readConfig({ SVC_DATA_DIR: address.dataDir, SVC_BOOTSTRAP_FILE: join(address.dataDir, 'none') })
  await expect(compose(missing.config, pino({ level: 'silent' }))).rejects.toThrow('ENOENT')
  await remove()
})

test('an empty service without a file starts with a token that only its owner can read', async () => {
  const { address, remove } = await createTestDatabase()
  const service = await start(address, null)
  const path = join(address.dataDir, 'initial-token')
  // On a server, several nodes share the database but no folder, so there is no token file.
  if (service.database.kind === 'server') await expect(stat(path)).rejects.toThrow('ENOENT')
  else {
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const initial = (await readFile(path, 'utf8')).trim()
    expect(await service.get(initial, '/api/v1/me')).toMatchObject({ data: { scopes: ['admin:*'] } })
    const { rows } =
      await sql`select name, created_by, description, initial, expires_at - created_at = interval '30 days' as "isForAMonth" from tokens`.execute(
        service.database.db,
      )
    expect(rows).toEqual([
      {
        name: 'initial',
        created_by: 'the service at its first start',
        description: expect.stringContaining('Revoke it'),
        initial: true,
        isForAMonth: true,
      },
    ])
  }
  await service.close()
  await remove()
})
