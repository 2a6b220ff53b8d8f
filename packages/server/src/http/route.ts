import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../catalogue/refusals.ts'
import { holdsScope, type PlanFeature, type Scope } from '../catalogue/scopes.ts'
import { secretFieldsOf } from '../fields.ts'
import { foreignIds, type PathNames, pathNames } from '../path-names.ts'
import type { Db } from '../platform/db/index.ts'
import { isId } from '../platform/ids.ts'
import { notingFields } from '../platform/issue-text.ts'
import type { Author, Authors } from '../platform/outbox.ts'
import { shared } from '../platform/together.ts'
import { isKnown } from '../revalidation.ts'
import { isStreamed, readUploads, type StreamedBody, streamUploads, whilePermitted } from './body.ts'
import { actorOf, type Caller, chooseOrganization, isAdministrator, type OpensToEditors } from './credentials.ts'
import { type EntryContext, entryOf } from './entry.ts'
import { accepted, Refused } from './errors.ts'
import { type IfMatch, ifMatch } from './etag.ts'
import { noteFixedFields } from './fixed-fields.ts'
import { earlierAnswer, type IdempotentRequest, idempotentRequest, once, type StoredAnswer } from './idempotency.ts'
import { issuesOf } from './issues.ts'
import type { RateFamily } from './limits/rate-limit.ts'
import { type Missing, type Named, namesIn, notFoundText } from './not-found-text.ts'
import {
  type Access,
  confirmHeader,
  type Described,
  type DescribedScope,
  isRepeatable,
  openApiOperation,
  refusesHeaders,
} from './openapi/operation.ts'
import type { Page } from './page.ts'

/**
 * The order of the checks of a request. The first check that fails gives the answer. `route` below does the first seven,
 * Fastify's validation the eighth, and the feature's action (under its lock) the last two.
 */
export const checksInOrder = [
  'credential',
  'organization',
  'rate limit',
  'plan feature',
  'scope',
  'existence',
  'scope of what was found',
  'body',
  'precondition',
  'state',
] as const

export interface Call<Params, Query, Body, Found> {
  params: Params
  query: Query
  body: Body
  /** The result of `find`: the resource that the path names. */
  found: Found
  caller: Caller
  by: Author
  ifMatch: IfMatch
  /** What `X-Svc-Confirm` says. */
  confirmation: string | undefined
  /** The idempotency key, for a route that handles it by itself. Otherwise null. */
  idempotency: IdempotentRequest | null
  /** Aborted when the caller hangs up. Created on first use, because few routes wait for anything. */
  gone: () => AbortSignal
  /** An answer in the form that is stored and repeated. */
  storable: (answer: Answer<unknown>) => StoredAnswer
}

export interface Answer<Data> {
  data: Data
  page?: Page
  etag?: string
  /** The work continues in the background after the answer, which is a 202. Only for a route that `canGoOn`. */
  goesOn?: boolean
  /** Fields that are only known after the commit, such as the propagation. A repeated answer does not have them. */
  afterwards?: () => Promise<Partial<Data>>
}

/** A file instead of JSON, streamed. */
export interface Download {
  download: { name: string; mediaType: string; content: AsyncIterable<string> }
}

/** Scopes that a call needs for some of the resources that its path can name. */
export interface AlsoNeeds<Found> extends DescribedScope {
  isNeededFor: (found: Found) => boolean
}

export interface RouteDefinition<
  Params extends z.ZodRawShape,
  Query extends z.ZodRawShape,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Found,
> extends Described {
  url: string
  /** Default: a token, or the session of a signed-in person. */
  access?: Exclude<Access, 'anyone'>
  /** Null: any valid credential. */
  scope: Scope | null
  /** The token of the visual editor opens it too, for its own experiment, which the path must name. */
  opensToEditors?: OpensToEditors
  /** The rate limits of this route. Default: `general`. */
  rateFamily?: RateFamily
  params?: Params
  query?: Query
  body?: Body
  data: Data
  /**
   * Finds the resource that the path names in the caller's organization. If it is missing, the answer is 404. A refusal
   * says why a resource that is there does not have what follows its name.
   */
  find?: (params: z.output<z.ZodObject<Params>>, caller: Caller) => Promise<Found | Refusal | undefined>
  /** More scopes that follow from what was found. They are checked directly after existence. */
  alsoNeeds?: AlsoNeeds<Found>
  /**
   * Why a caller who can see the resource cannot change it. It is asked before every write, where the resource is found,
   * so that no route forgets it.
   */
  refusesFound?: ((found: Found, caller: Caller) => Refusal | undefined) | undefined
  /** A read that shows more than the resource itself: `refusesFound` is asked before it too. */
  readsLikeAWrite?: true
  /**
   * `handle` answers 404 by itself, in the caller's organization. `find`, which is a trip to the database, is then
   * skipped for requests that no check between the two can refuse.
   */
  findsItself?: true
  /**
   * The ETag of the answer, for a read that `revalidates` and knows it without making the answer. It is read before
   * `handle`, so a change in between gives a new answer with an old ETag, never an old answer with a new ETag. Calls
   * at the same time with the same ETag share one answer, so answers that differ must have different ETags, for example
   * for callers with other scopes.
   */
  etagAhead?: (
    call: Call<z.output<z.ZodObject<Params>>, z.output<z.ZodObject<Query>>, z.output<Body>, Found>,
  ) => Promise<string>
  /**
   * The body for what was found, which has all faults of `body` and those that only this resource knows. So a caller
   * reads every fault at once.
   */
  bodyFor?: (found: Found) => Promise<z.ZodType>
  /** Requests to other hosts. They happen before the transaction, which must not be slow. */
  prepare?: (
    call: Call<z.output<z.ZodObject<Params>>, z.output<z.ZodObject<Query>>, z.output<Body>, Found>,
  ) => Promise<Refusal | undefined>
  handle: (
    call: Call<z.output<z.ZodObject<Params>>, z.output<z.ZodObject<Query>>, z.output<Body>, Found>,
  ) => Promise<Answer<z.input<Data>> | Download | { replay: StoredAnswer } | Refusal>
}

export interface RouteContext extends EntryContext {
  app: FastifyInstance
  db: Db
  authors: Authors
  /** The ids of the resources that an address names by key or short id. Undefined if one does not exist. */
  idsOf: (orgId: string, names: PathNames) => Promise<PathNames | undefined>
  /** Which of the names in an address does not exist for the caller. */
  missingOf: (caller: Caller, names: readonly Named[]) => Promise<Missing>
  /** A body or query with the ids of what it names by key or short id. Unknown names stay. */
  withIds: <Sent>(
    place: { orgId: string; projectId: string; flagId?: string | undefined; envId?: string | undefined },
    sent: Sent,
  ) => Promise<Sent>
}

/** Registers one route of the public API with all API conventions. */
export type Route = <
  Params extends z.ZodRawShape = Record<never, never>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodType = z.ZodType<undefined>,
  Data extends z.ZodType = z.ZodType,
  Found = undefined,
>(
  definition: RouteDefinition<Params, Query, Body, Data, Found>,
) => void

export function routes(context: RouteContext): Route {
  const all: Parameters<typeof noteFixedFields>[0][] = []
  return (definition) => {
    const route = definition as unknown as AnyRoute
    const { upload, protocol } = route
    all.push(route)
    noteFixedFields(route, all)
    const sessionsOnly = route.access === 'session' || route.access === 'administrator'
    const { rateFamily: family = 'general', opensToEditors } = route
    const entry = entryOf(context, { sessionsOnly, family, opensToEditors })
    const registered: RouteOptions = {
      method: route.method,
      url: route.url,
      ...(upload && { bodyLimit: upload.maxBytes }),
      schema: openApiOperation(route),
      config: { countOther: entry.countOther, isProtocol: protocol !== undefined },
      onRequest: entering(route, context, entry),
      preValidation: [repeating(route, context), ...(route.bodyFor ? [narrowing(route.bodyFor)] : [])],
      handler: answering(route, context, entry),
    }
    if (upload)
      context.app.register(async (uploads) => {
        if (isStreamed(upload)) streamUploads(uploads, upload)
        else readUploads(uploads, upload)
        uploads.route(registered)
      })
    else context.app.route(registered)
  }
}

/** A route whose parameters, body and data are not known by type. */
type AnyRoute = RouteDefinition<z.ZodRawShape, z.ZodRawShape, z.ZodType, z.ZodType, unknown>

/** The checks before the body. */
function entering(route: AnyRoute, context: RouteContext, { enter }: ReturnType<typeof entryOf>) {
  const { authors, idsOf } = context
  const repeatable = isRepeatable(route)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { chosen: caller } = await enter(request, reply, chooseOrganization)
    accepted(refusesCaller(route, caller))
    const params = await idsIn(request.params as Record<string, string>, caller, idsOf)
    const sees = params !== undefined && seesPlace(caller, params)
    const isLeftOut =
      sees && route.findsItself === true && !route.refusesFound && !route.alsoNeeds && isBare(route, request)
    const found = route.find && sees && !isLeftOut ? accepted(await route.find(params as never, caller)) : undefined
    const isMissing = route.find !== undefined && found === undefined && !isLeftOut
    const mayRepeat = repeatable && request.headers['idempotency-key'] !== undefined
    if (isMissing && !mayRepeat) throw new Refused(await missing(route, context, request, caller))
    if (found !== undefined && route.alsoNeeds?.isNeededFor(found))
      for (const scope of [route.alsoNeeds.scope].flat()) accepted(missingScope(caller, scope))
    const isGuarded = route.method !== 'GET' || route.readsLikeAWrite
    if (found !== undefined && isGuarded && route.refusesFound) accepted(route.refusesFound(found, caller) ?? null)
    const by = authors(actorOf(request, caller))
    const confirmation = request.headers[confirmHeader]?.toString()
    request.call = { caller, by, found, ifMatch: ifMatch(request.headers), confirmation, idempotency: null }
  }
}

/**
 * Replaces keys and short ids in the address by ids before other code reads them, and writes ids as the database
 * does, so that code can compare them. An address with only ids costs no query.
 */
async function idsIn(params: Record<string, string>, { organization }: Caller, idsOf: RouteContext['idsOf']) {
  for (const [name, value] of Object.entries(params))
    if (isId(value) && !foreignIds.includes(name)) params[name] = value.toLowerCase()
  const named = Object.fromEntries(pathNames.flatMap((name) => (name in params ? [[name, params[name]!]] : [])))
  if (named.projectId === undefined || Object.values(named).every(isId)) return params
  const ids = await idsOf(organization.id, named as unknown as PathNames)
  return ids && Object.assign(params, ids)
}

/** Answers a call that is repeated with its idempotency key. */
function repeating(route: AnyRoute, context: RouteContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { call } = request
    accepted(refusesHeaders(route, request.headers))
    if (request.headers['idempotency-key'] === undefined) return undefined
    call.idempotency = accepted(idempotencyOf(request, call.caller))
    const earlier = call.idempotency && accepted(await earlierAnswer(context.db, call.idempotency, call.by.now))
    if (earlier) return sendReplay(reply, earlier)
    if (route.find && call.found === undefined) throw new Refused(await missing(route, context, request, call.caller))
    return undefined
  }
}

/** Refuses a body that does not fit what was found. What fits is read afterwards, as on every route. */
const narrowing = (bodyFor: NonNullable<AnyRoute['bodyFor']>) => async (request: FastifyRequest) => {
  const schema = await bodyFor(request.call.found)
  const { error } = schema.safeParse(request.body ?? undefined, { error: notingFields })
  if (error) throw new Refused(invalid(...issuesOf(error, request.body, { schema })))
}

function answering(route: AnyRoute, context: RouteContext, { again }: ReturnType<typeof entryOf>) {
  const { db, withIds } = context
  const { protocol } = route
  const storable = storableOf(route)
  const answeredAlike = shared<StoredAnswer>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params } = request
    const { projectId, flagId, envId } = params as { projectId?: string; flagId?: string; envId?: string }
    const orgId = request.call.caller.organization.id
    const named = async (sent: unknown) =>
      projectId === undefined ? sent : withIds({ orgId, projectId, flagId, envId }, sent)
    const query = await named(request.query)
    const mayGoOn = async () => {
      const caller = await again(request, chooseOrganization)
      if (isRefusal(caller)) return caller
      return refusesCaller(route, caller) ?? (seesPlace(caller, params as object) ? undefined : notFound('Project'))
    }
    const body = isStreamed(route.upload)
      ? whilePermitted(request.body as StreamedBody | undefined, mayGoOn, context.now)
      : await named(request.body)
    const gone = () => signalOfClose(reply)
    const { by, idempotency } = request.call
    const call = { ...request.call, params, query, body, gone, storable } as never
    const etagAhead = await route.etagAhead?.(call)
    if (etagAhead && isKnown(request.headers['if-none-match'], etagAhead))
      return reply.code(304).header('etag', etagAhead).send()
    accepted(await route.prepare?.(call))
    const work = () => route.handle(call)
    if (etagAhead) {
      const made = async () => storable({ ...(accepted(await work()) as Answer<unknown>), etag: etagAhead })
      return sendStored(reply, await answeredAlike(etagAhead, made))
    }
    const working = async () => {
      const result = await work()
      return isRefusal(result) ? result : { result }
    }
    const tried =
      idempotency && route.idempotent !== 'by itself'
        ? await once(db, idempotency, by.now, work, (answer) => storable(answer as Answer<unknown>))
        : await working()
    const done = accepted(await alike(route, context, request, tried))
    const answer = 'replay' in done ? done : done.result
    if ('replay' in answer) return sendReplay(reply, answer.replay)
    if ('download' in answer) return sendDownload(reply, answer.download)
    if (protocol) reply.headers(protocol.headers)
    const { etag } = answer
    if (etag) reply.header('etag', etag)
    if (route.revalidates && isKnown(request.headers['if-none-match'], etag!)) return reply.code(304).send()
    reply.code(statusOf(route, answer))
    const data = answer.afterwards ? { ...(answer.data as object), ...(await answer.afterwards()) } : answer.data
    if (protocol) return answer.data
    return answer.page ? { data, page: answer.page } : { data }
  }
}

const statusOf = (route: AnyRoute, { goesOn }: Pick<Answer<unknown>, 'goesOn'>): number =>
  goesOn ? 202 : (route.status ?? 200)

/** Writes an answer as it is stored: without secrets, which are shown once. */
function storableOf(route: AnyRoute): (answer: Answer<unknown>) => StoredAnswer {
  const secrets = Object.fromEntries(secretFieldsOf(route.data).map((name) => [name, null]))
  const encoded = (data: unknown) => z.object({ data: route.data }).encode({ data } as never)
  return (answer) => {
    const { data, page, etag } = answer
    const kept = data === null || Array.isArray(data) ? data : { ...data, ...secrets }
    const body = JSON.stringify({ ...encoded(kept), page })
    return { status: statusOf(route, answer), body, etag: etag ?? null }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The results of the checks before the body. Set by `route` and read only by its handler. */
    call: {
      caller: Caller
      found: unknown
      by: Author
      ifMatch: IfMatch
      confirmation: string | undefined
      idempotency: IdempotentRequest | null
    }
  }
}

/** Listens on the response, because Node closes a request as soon as its body has been read. */
function signalOfClose(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}

/** It has neither a query nor a body nor a header that a route can refuse. */
function isBare(route: Described, { raw: { url = '', headers } }: FastifyRequest): boolean {
  const { 'content-length': length = '0', 'content-type': type = 'application/json' } = headers
  const hasBody = length !== '0' || headers['transfer-encoding'] !== undefined || type !== 'application/json'
  const isRepeated = headers['idempotency-key'] !== undefined
  return !url.includes('?') && !hasBody && !isRepeated && refusesHeaders(route, headers) === undefined
}

/** The answer has the same words, wherever in a project the missing resource was looked for. */
const alike = async <Result>(
  route: AnyRoute,
  context: RouteContext,
  request: FastifyRequest,
  result: Result | Refusal,
): Promise<Result | Refusal> =>
  (route.findsItself || route.url.includes('/:projectId/')) && isRefusal(result) && result.refusal === 'not_found'
    ? missing(route, context, request, request.call.caller, result)
    : result

/**
 * The names are read from the address: the parameters have ids in their place by now.
 *
 * @param own what the route says, for an address whose names all exist
 */
async function missing(
  { method, url }: AnyRoute,
  { missingOf }: RouteContext,
  request: FastifyRequest,
  caller: Caller,
  own = notFound('Resource'),
): Promise<Refusal> {
  const names = namesIn(url, request.raw.url ?? '')
  try {
    const text = notFoundText({ method, pattern: url }, names, await missingOf(caller, names))
    return text === undefined ? own : refuse('not_found', text)
  } catch (error) {
    request.log.error({ err: error }, 'looking for what is missing failed')
    return own
  }
}

function idempotencyOf(request: FastifyRequest, caller: Caller): IdempotentRequest | null | Refusal {
  const [path = ''] = request.url.split('?', 1)
  const of = { orgId: caller.organization.id, credentialId: caller.id, method: request.method, path }
  return idempotentRequest(request.headers['idempotency-key'], request.body, of)
}

/** The bytes of the first answer, without secrets. */
const sendReplay = (reply: FastifyReply, answer: StoredAnswer): FastifyReply =>
  sendStored(reply.header('idempotency-replayed', 'true'), answer)

function sendStored(reply: FastifyReply, { status, body, etag }: StoredAnswer): FastifyReply {
  if (etag) reply.header('etag', etag)
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)
}

function sendDownload(reply: FastifyReply, { name, mediaType, content }: Download['download']): FastifyReply {
  return reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(reply.request.method === 'HEAD' ? '' : Readable.from(content))
}

/** Why a caller cannot call a route at all. */
function refusesCaller(route: AnyRoute, caller: Caller): Refusal | undefined {
  const asAdministrator = route.orAdministrator === true && caller.type === 'SESSION'
  return (
    missingFeature(caller, route.feature) ??
    (asAdministrator ? undefined : missingScope(caller, route.scope)) ??
    (asAdministrator || route.access === 'administrator' ? missingRole(caller) : undefined)
  )
}

function missingFeature({ organization }: Caller, feature: PlanFeature | undefined): Refusal | undefined {
  if (!feature || organization.features.includes(feature)) return undefined
  const command = `svc-server organizations enable ${organization.shortId} ${feature}`
  const message = `The feature ${feature} is switched off for this organization. The operator of the service can turn it on with \`npx ${command}\`.`
  return refuse('feature_disabled', message, { feature })
}

function missingScope(caller: Caller, scope: Scope | null): Refusal | undefined {
  if (scope === null || holdsScope(caller.scopes, scope)) return undefined
  return refuse('scope_missing', `This call requires the scope ${scope}.`, { scope })
}

function missingRole(caller: Caller): Refusal | undefined {
  if (isAdministrator(caller)) return undefined
  return refuse('role_missing', 'Only owners and administrators of the organization can do this.')
}

/** To the caller, a hidden project is missing, and so is everything in it. The editor sees one experiment. */
function seesPlace(
  { projects, editor }: Caller,
  { projectId, experimentId }: { projectId?: string; experimentId?: string },
): boolean {
  if (editor && editor.experimentId !== experimentId) return false
  return projects === null || projectId === undefined || projects.has(projectId)
}
