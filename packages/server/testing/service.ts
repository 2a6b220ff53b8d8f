import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Scope } from '../src/catalogue/scopes.ts'
import { compose, type Service } from '../src/compose.ts'
import { readConfig } from '../src/config.ts'
import type { Database } from '../src/platform/db/index.ts'
import { openLog } from '../src/platform/log.ts'
import type { Outbound } from '../src/platform/outbound/index.ts'
import { booleanFlag } from './boolean-flag.ts'
import type { Address } from './databases/address.ts'
import { createTestDatabase } from './databases/database.ts'
import { secrets } from './secrets.ts'
import { expectNotLogged } from './secrets-search.ts'

const serviceSecret = () => `svc_svc_${randomBytes(32).toString('base64url')}`
const personalSecret = () => `svc_pat_${randomBytes(32).toString('base64url')}`

/** The credential for `/metrics` of every test service. */
export const metricsBearer = { authorization: `Bearer metrics-${'m'.repeat(20)}` }

/** The callers of route tests: two organizations, one token for each need, one person of each role. */
export interface People {
  /** A token of Acme with `admin:*`. */
  admin: string
  /** A token of another organization with `admin:*`. */
  stranger: string
  flagsRead: string
  flagsWrite: string
  projectsRead: string
  projectsWrite: string
  noScopes: string
  expired: string
  owner: string
  editor: string
  viewer: string
  /** A member of both organizations. */
  consultant: string
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  body: any
  text: string
}

export interface TestService extends Service {
  people: People
  settings: Record<string, string>
  db: Database['db']
  address: Address
  /** Everything that it has logged, at the most verbose level of an operator; empty with a custom log. */
  logged(): string
  /** Shuts the service down and keeps its database for inspection. */
  stop(): Promise<void>
  /** Shuts the service down and removes its own database. */
  close(): Promise<void>
  /** Sends a request without opening a socket. A body is sent as JSON unless it is a string or bytes. */
  call(
    who: string | null,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

export interface TestOptions {
  /** Environment variables. */
  settings?: Record<string, string>
  /** A different clock. */
  now?: () => Date
  /** With a different clock, too, due schedules and jobs are carried out without being asked, as pages expect it. */
  carriesOut?: boolean
  /** Different outbound connections. */
  outbound?: Outbound
  log?: Logger
  /** An existing database. Default: a separate one, removed at the end. */
  address?: Address
}

export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const database = options.address ? undefined : await createTestDatabase()
  const address = options.address ?? database!.address
  const people = newPeople()
  const bootstrap = join(await mkdtemp(join(tmpdir(), 'svc-bootstrap-')), 'provisioning.json')
  const provisioning = provisioningOf(people)
  await writeFile(bootstrap, JSON.stringify(provisioning))
  secrets.noteBodies(provisioning)
  const settings = {
    SVC_DATA_DIR: address.dataDir,
    SVC_BASE_URL: 'http://svc.test',
    SVC_SECRET_KEY: randomBytes(32).toString('base64url'),
    SVC_BOOTSTRAP_FILE: bootstrap,
    SVC_METRICS_TOKEN: metricsBearer.authorization.slice('Bearer '.length),
    SVC_RATE_LIMIT_READ: '1000000',
    SVC_RATE_LIMIT_WRITE: '1000000',
    // Events are stored on a disk that is almost full, too.
    SVC_EVENT_DISK_RESERVE: '0',
    ...(address.url && { SVC_DATABASE_URL: address.url }),
    ...options.settings,
  }
  secrets.note(settings.SVC_SECRET_KEY)
  const service = await assembled(settings, address, people, options)
  return {
    ...service,
    async close() {
      try {
        await service.stop()
      } finally {
        await rm(dirname(bootstrap), { recursive: true })
        await database?.remove()
      }
    },
  }
}

/** A second node on the database of a running one, with the same people. */
export function joinTestService(first: TestService): Promise<TestService> {
  return assembled(first.settings, first.address, first.people, {})
}

async function assembled(
  settings: Record<string, string>,
  address: Address,
  people: People,
  { log, carriesOut, ...world }: TestOptions,
): Promise<TestService> {
  const lines: string[] = []
  const ownLog = openLog('debug', { write: (line: string) => void lines.push(line) })
  const service = await compose(readConfig(settings).config, log ?? ownLog, world)
  // Where the test makes time pass, their own turns would come at a moment of the real clock. Each still acts when asked.
  const { schedules, snapshots, watching, codeErrors, jobs } = service
  const carryingOut = carriesOut ? [] : [schedules, jobs.turns, jobs.watchdog]
  if (world.now) await Promise.all([snapshots, watching, codeErrors, ...carryingOut].map((each) => each.stop()))
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.close().then(() => expectNotLogged(lines.join('')))
    return stopped
  }
  return {
    ...service,
    close: stop,
    stop,
    logged: () => lines.join(''),
    address,
    people,
    settings,
    db: service.database.db,
    async call(who, method, path, body, headers = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      const response = await service.app.inject({
        method,
        url: path,
        headers: {
          ...(who && { authorization: `Bearer ${who}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: isRaw ? (body as string | Buffer) : JSON.stringify(body) }),
      })
      const isJson = String(response.headers['content-type']).startsWith('application/json')
      const text = response.body
      const answered = isJson && text ? JSON.parse(text) : undefined
      if (who) secrets.note(who)
      if (response.statusCode < 300) secrets.noteBodies(body, answered)
      return { status: response.statusCode, headers: response.headers, text, body: answered }
    },
  }
}

function newPeople(): People {
  const [admin, stranger, flagsRead, flagsWrite, projectsRead, projectsWrite, noScopes, expired] = Array.from(
    { length: 8 },
    serviceSecret,
  ) as [string, string, string, string, string, string, string, string]
  const [owner, editor, viewer, consultant] = Array.from({ length: 4 }, personalSecret) as [
    string,
    string,
    string,
    string,
  ]
  return {
    admin,
    stranger,
    flagsRead,
    flagsWrite,
    projectsRead,
    projectsWrite,
    noScopes,
    expired,
    owner,
    editor,
    viewer,
    consultant,
  }
}

function provisioningOf(people: People) {
  const token = (name: string, secret: string, scopes: Scope[], expiresAt: string | null = null) => ({
    name,
    secret,
    scopes,
    expiresAt,
  })
  const member = (name: string, role: string, secret?: string) => ({
    email: `${name}@svc.test`,
    name,
    role,
    personalTokens: secret ? [{ name: 'laptop', secret }] : [],
  })
  return {
    organizations: [
      {
        name: 'Acme',
        projects: [{ name: 'Web shop' }],
        members: [
          member('owner', 'OWNER', people.owner),
          member('editor', 'EDITOR', people.editor),
          member('viewer', 'VIEWER', people.viewer),
          member('consultant', 'EDITOR', people.consultant),
        ],
        serviceTokens: [
          token('admin', people.admin, ['admin:*']),
          token('flags-read', people.flagsRead, ['flags:read']),
          token('flags-write', people.flagsWrite, ['flags:write']),
          token('projects-read', people.projectsRead, ['projects:read']),
          token('projects-write', people.projectsWrite, ['projects:write']),
          token('nothing', people.noScopes, []),
          token('expired', people.expired, ['admin:*'], '2020-01-01T00:00:00Z'),
        ],
      },
      {
        name: 'Other',
        projects: [{ name: 'Elsewhere' }],
        members: [member('consultant', 'VIEWER')],
        serviceTokens: [token('stranger', people.stranger, ['admin:*'])],
      },
    ],
  }
}

/** A project with its two environments and their SDK keys. */
export interface TestProject {
  id: string
  path: string
  production: { id: string; sdkKey: string }
  development: { id: string; sdkKey: string }
}

export async function createProject(
  service: TestService,
  who = service.people.admin,
  type: 'FEATURE_FLAG' | 'WEB' = 'FEATURE_FLAG',
): Promise<TestProject> {
  const project = await service.call(who, 'POST', '/api/v1/projects', { name: 'Test project', type })
  const path = `/api/v1/projects/${project.body.data.id}`
  const { body } = await service.call(who, 'GET', `${path}/environments`)
  const named = (key: string) => body.data.find((environment: { key: string }) => environment.key === key)
  return { id: project.body.data.id, path, production: named('production'), development: named('development') }
}

/** Creates a BOOLEAN flag and returns it as the API shows it. */
export async function createFlag(service: TestService, project: TestProject, key: string) {
  const answer = await service.call(service.people.admin, 'POST', `${project.path}/flags`, booleanFlag(key))
  if (answer.status !== 201) throw new Error(`flag ${key}: ${answer.text}`)
  return answer.body.data
}

/** The data file that an SDK would get now. */
export async function dataFile(service: TestService, sdkKey: string) {
  const answer = await service.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`)
  if (answer.status !== 200) throw new Error(`data file: ${answer.text}`)
  return answer.body
}
