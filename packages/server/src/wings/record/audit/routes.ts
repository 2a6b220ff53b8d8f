import { z } from 'zod'
import { auditedNouns } from '../../../catalogue/nouns.ts'
import { csvOf } from '../../../csv.ts'
import type { Caller } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Actor } from '../../../platform/outbox.ts'
import { entryBatches, readEntries } from './actions.ts'
import type { AuditEntry, EntryFilter } from './queries.ts'
import { auditEntrySchema, filterQuery } from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
}

const actorTypes = ['user', 'service_token', 'personal_token', 'system'] as const satisfies Actor['type'][]
const filters = {
  ...filterQuery,
  actorType: z.enum(actorTypes).optional(),
  objectType: z.enum(auditedNouns).optional(),
}
const exportBatchSize = 500

export function auditRoutes(route: Route, { db, cursors }: Context): void {
  const tag = 'Audit log'
  const scope = 'audit:read'

  route({
    method: 'GET',
    url: '/api/v1/audit',
    operationId: 'listAuditEntries',
    summary: 'List audit entries',
    description: 'Newest first.',
    tag,
    scope,
    query: { ...pageQuery, ...filters },
    data: auditEntrySchema.array(),
    paged: true,
    async handle({ caller, query }) {
      const { limit: _limit, cursor: _cursor, ...given } = query
      const filter = filterOf(caller, given)
      const list = ['audit', filter]
      const read = async (after: string | null, limit: number) => {
        const entries = await readEntries(db, filter, after === null ? null : Number(after), limit)
        return entries.map((entry) => ({ id: String(entry.seq), entry }))
      }
      return cursors.list(query, list, read, (rows) => rows.map(({ entry }) => present(entry)))
    },
  })

  route({
    method: 'GET',
    url: '/api/v1/audit/export',
    operationId: 'exportAuditEntries',
    summary: 'Export audit entries',
    description:
      'A file with all entries that match the filters, newest first. In CSV, values that a spreadsheet could read as a formula begin with an apostrophe.',
    tag,
    scope,
    query: { format: z.enum(['csv', 'ndjson']), ...filters },
    data: z.string(),
    downloads: Object.fromEntries(
      Object.values(formats).map(({ mediaType, print }) => [mediaType, print([exampleEntry], true)]),
    ),
    async handle({ caller, by, query: { format, ...given } }) {
      const batches = entryBatches(db, filterOf(caller, given), exportBatchSize)
      // Read the first batch before the answer begins, so that an unreachable database is still a 503.
      const first = await batches.next()
      const { mediaType, print } = formats[format]
      const name = `audit-${caller.organization.shortId}-${by.now.toISOString().slice(0, 10)}.${format}`
      return { download: { name, mediaType, content: printed(first, batches, print) } }
    },
  })
}

function filterOf(
  { organization, projects }: Caller,
  { from, to, ...given }: z.output<z.ZodObject<typeof filters>>,
): EntryFilter {
  return {
    ...given,
    orgId: organization.id,
    projects: projects && [...projects].sort(),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
}

async function* printed(
  first: IteratorResult<AuditEntry[], void>,
  rest: AsyncIterable<AuditEntry[]>,
  print: (entries: AuditEntry[], isFirst: boolean) => string,
): AsyncGenerator<string> {
  yield print(first.value ?? [], true)
  for await (const batch of rest) yield print(batch, false)
}

const columns = [
  ['seq', 'seq'],
  ['id', 'id'],
  ['at', 'at'],
  ['actor.type', 'actorType'],
  ['actor.id', 'actorId'],
  ['actor.name', 'actorName'],
  ['action', 'action'],
  ['object.type', 'objectType'],
  ['object.id', 'objectId'],
  ['object.name', 'objectName'],
  ['projectId', 'projectId'],
  ['before', 'before'],
  ['after', 'after'],
  ['requestId', 'requestId'],
  ['ip', 'ip'],
  ['userAgent', 'userAgent'],
  ['hash', 'hash'],
].map(([key, header]) => ({ key: key!, header: header! }))

/** Writes a file batch by batch. */
const formats = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    print: (entries: AuditEntry[], isFirst: boolean) => csvOf(entries.map(present), columns, { header: isFirst }),
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    print: (entries: AuditEntry[]) => entries.map((entry) => `${JSON.stringify(present(entry))}\n`).join(''),
  },
}

const exampleEntry: AuditEntry = {
  id: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
  seq: 1,
  at: new Date('2026-11-20T10:00:00.000Z'),
  actor: { type: 'user', id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', name: 'Ada' },
  action: 'flag.created',
  object: { type: 'flag', id: '0198f2c6-3c4d-7c3e-8f4a-5b6c7d8e9f00', name: 'New checkout' },
  projectId: '0198f2c6-5e6f-7c3e-8f4a-5b6c7d8e9f00',
  before: null,
  after: { key: 'new-checkout' },
  requestId: '0198f2c6-9a0b-7c3e-8f4a-5b6c7d8e9f00',
  ip: '192.0.2.1',
  userAgent: 'curl/8.0',
  hash: 'a'.repeat(64),
}

const present = (entry: AuditEntry) => ({ ...entry, at: entry.at.toISOString() })
