import { z } from 'zod'
import { isRefusal, type Refusal } from '../catalogue/refusals.ts'
import type { Scope } from '../catalogue/scopes.ts'
import { idField } from '../fields.ts'
import type { Caller } from '../http/credentials.ts'
import { type Cursors, pageQuery } from '../http/page.ts'
import type { AlsoNeeds, Answer, Call, Route, RouteDefinition } from '../http/route.ts'
import type { Db } from '../platform/db/index.ts'
import type { NounQueries } from './queries.ts'

/** The parts that make up the five routes of a noun of a project. */
export interface NounRoutes<
  Project extends { id: string; orgId: string },
  Row extends { id: string },
  Create extends z.ZodType,
  Update extends z.ZodType,
  Data extends z.ZodType,
> {
  /** `Audience`: the tag, and the end of the operation ids. */
  name: string
  /** `an audience` */
  one: string
  /** The parameter in the address, if it is not `audienceId`. */
  id?: string
  /** `audiences`: the last part of the address, and the name of the list. */
  many: string
  scopes: { read: Scope; write: Scope }
  /** A second scope of writes that follows from the project or the row. */
  writesAlsoNeed?: { ofProject: AlsoNeeds<Project>; ofOne: AlsoNeeds<Row> }
  /** What the list can be filtered by. */
  filters?: z.ZodRawShape
  manners?: Pick<RouteDefinition<never, never, never, never, never>, 'feature' | 'rateFamily'>
  data: Data
  cursors: Cursors
  db: Db
  findProject: (db: Db, orgId: string, projectId: string) => Promise<Project | undefined>
  /** Why a caller who can see a row cannot change it or what belongs to it. */
  refusesFound?: (row: Row, caller: Pick<Caller, 'projects'>) => Refusal | undefined
  queries: Pick<NounQueries<Row>, 'find'> & {
    list: (
      db: Db,
      projectId: string,
      after: string | null,
      limit: number,
      filters: Record<string, unknown>,
    ) => Promise<Row[] | Refusal>
  }
  present: (rows: Row[], caller: Caller) => z.input<Data>[] | Promise<z.input<Data>[]>
  etag: (row: Row) => string
  texts?: { list?: string; get?: string; delete?: string }
  /** Whether the visual editor reads one. */
  opensToEditors?: true
  create: {
    text: string
    body: Create
    /** Set if the answer contains more than later ones, such as a secret. */
    data?: z.ZodType
    prepare?: (call: Of<Project, Create>) => Promise<Refusal | undefined>
    act: (call: Of<Project, Create>) => Promise<Row | { row: Row; shown: object } | Refusal>
  }
  update: {
    summary?: string
    text?: string
    body: Update
    /** Set if the answer contains more than later ones, such as a secret. */
    data?: z.ZodType
    /** It stages something, and accepts `X-Svc-Source`. */
    stages?: true
    prepare?: (call: Of<Row, Update>) => Promise<Refusal | undefined>
    act: (call: Of<Row, Update>) => Promise<Row | { row: Row; shown: object } | Refusal>
  }
  remove: (call: Of<Row, z.ZodType> & { query: Record<string, unknown> }) => Promise<unknown>
  /** What a deletion can be asked besides. */
  removal?: Readonly<Record<string, z.ZodType>>
}

type Of<Found, Body extends z.ZodType> = Pick<
  Call<Record<string, string>, object, z.output<Body>, Found>,
  'body' | 'by' | 'caller' | 'found' | 'ifMatch'
>

/** Registers list, create, get, update and delete with the conventions of every noun. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function nounRoutes<
  Project extends { id: string; orgId: string },
  Row extends { id: string },
  Create extends z.ZodType,
  Update extends z.ZodType,
  Data extends z.ZodType,
>(route: Route, noun: NounRoutes<Project, Row, Create, Update, Data>): { url: string; one: OneOf<Row> } {
  const { name, one: aNoun, many, scopes, cursors, db, queries, data, texts = {} } = noun
  const id = noun.id ?? `${name.toLowerCase()}Id`
  const url = `/api/v1/projects/:projectId/${many}`
  const presentOne = async (row: Row, caller: Caller) => (await noun.present([row], caller))[0]!
  const answer = async (row: Row | Refusal, caller: Caller): Promise<Answer<z.input<Data>> | Refusal> =>
    isRefusal(row) ? row : { data: await presentOne(row, caller), etag: noun.etag(row) }

  /** The answer to a write, with what is shown only then. */
  async function answerSaved(saved: Row | { row: Row; shown: object } | Refusal, caller: Caller) {
    if (isRefusal(saved)) return saved
    const { row, shown } = 'row' in saved ? saved : { row: saved, shown: {} }
    const data = { ...((await presentOne(row, caller)) as object), ...shown }
    return { data: data as never, etag: noun.etag(row) }
  }

  const all = {
    ...noun.manners,
    tag: name,
    params: { projectId: idField },
    find: ({ projectId }: { projectId: string }, caller: { organization: { id: string } }) =>
      noun.findProject(db, caller.organization.id, projectId),
  }
  const one: OneOf<Row> = {
    ...noun.manners,
    tag: name,
    params: { projectId: idField, [id]: idField },
    find: (params, caller) => queries.find(db, caller.organization.id, params.projectId!, params[id]!),
    ...(noun.refusesFound && { refusesFound: noun.refusesFound }),
  }

  const ofOne = noun.writesAlsoNeed && { alsoNeeds: noun.writesAlsoNeed.ofOne }

  route({
    ...all,
    method: 'GET',
    url,
    operationId: `list${name}s`,
    summary: `List ${many.replace(/s?\//, ' ').replaceAll('-', ' ')}`,
    description: texts.list ?? 'Newest first.',
    scope: scopes.read,
    query: { ...pageQuery, ...noun.filters },
    data: data.array(),
    paged: true,
    async handle({ found: project, query, caller }) {
      const { limit: _limit, cursor: _cursor, ...filters } = query
      const list = [many, project.orgId, project.id, ...(noun.filters ? [filters] : [])]
      const read = (after: string | null, limit: number) => queries.list(db, project.id, after, limit, filters)
      return cursors.list(query, list, read, async (rows) => noun.present(rows, caller)) as never
    },
  })

  route({
    ...all,
    method: 'POST',
    url,
    operationId: `create${name}`,
    summary: `Create ${aNoun}`,
    description: noun.create.text,
    scope: scopes.write,
    ...(noun.writesAlsoNeed && { alsoNeeds: noun.writesAlsoNeed.ofProject }),
    body: noun.create.body,
    refusals: ['already_exists'],
    data: noun.create.data ?? data,
    status: 201,
    etag: true,
    ...(noun.create.prepare && { prepare: noun.create.prepare }),
    handle: async (call) => answerSaved(await noun.create.act(call), call.caller),
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:${id}`,
    operationId: `get${name}`,
    summary: `Get ${aNoun}`,
    ...(texts.get && { description: texts.get }),
    scope: scopes.read,
    ...(noun.opensToEditors && { opensToEditors: noun.opensToEditors }),
    data,
    etag: true,
    handle: ({ found, caller }) => answer(found, caller),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:${id}`,
    operationId: `update${name}`,
    summary: noun.update.summary ?? `Update ${aNoun}`,
    ...(noun.update.text && { description: noun.update.text }),
    scope: scopes.write,
    ...ofOne,
    body: noun.update.body,
    refusals: ['already_exists'],
    data: noun.update.data ?? data,
    etag: true,
    conditional: true,
    ...(noun.update.stages && { stages: true }),
    ...(noun.update.prepare && { prepare: noun.update.prepare }),
    handle: async (call) => answerSaved(await noun.update.act(call), call.caller),
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:${id}`,
    operationId: `delete${name}`,
    summary: `Delete ${aNoun}`,
    ...(texts.delete && { description: texts.delete }),
    scope: scopes.write,
    ...ofOne,
    ...(noun.removal && { query: noun.removal }),
    data: z.null(),
    conditional: true,
    async handle(call) {
      const result = await noun.remove(call as never)
      return isRefusal(result) ? result : { data: null }
    },
  })

  return { url: `${url}/:${id}`, one }
}

/** The beginning of a route for one of them. */
export interface OneOf<Row> {
  tag: string
  params: Record<string, z.ZodString>
  find: (params: Record<string, string>, caller: { organization: { id: string } }) => Promise<Row | undefined>
  refusesFound?: (row: Row, caller: Pick<Caller, 'projects'>) => Refusal | undefined
}
