import { z } from 'zod'
import type { EventName } from '../../../catalogue/events.ts'
import { refusesFigures, shownBody } from '../../../catalogue/figures.ts'
import { bodySchemas, isProduced } from '../../../catalogue/payloads.ts'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { Caller } from '../../../http/credentials.ts'
import { exampleOf, type Schema } from '../../../http/openapi/example.ts'
import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { attempt, leaseEnd } from '../../../platform/queue/index.ts'
import type { Signers } from '../../../platform/sign.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { findProject } from '../../flags/projects/index.ts'
import { findOrganization } from '../../people/organizations/index.ts'
import {
  countRetrying,
  type Delivery,
  deliveryRoutes,
  findBatch,
  findDelivery,
  refusesLeading,
} from '../deliveries/index.ts'
import { type KindName, type PayloadProject, payloadOf, projectOf, testPayload } from '../destinations/index.ts'
import {
  checkedConfig,
  createDestination,
  deleteDestination,
  integrations,
  recordTest,
  refusesAllProjects,
  replayDeliveries,
  retryDelivery,
  type Saved,
  unconfirmedIn,
  updateDestination,
} from './actions.ts'
import { addressesIn, apart, type Config, secretsOrRefusal, together } from './config.ts'
import { confirmationMail, confirmationSecret, confirmationUrl } from './confirmation/link.ts'
import { previewOf } from './preview.ts'
import { findEvent, type Integration, integrationQueries, openTickets, sealedSecretOf } from './queries.ts'
import {
  createDestinationBody,
  destinationFilters,
  destinationSchema,
  previewBody,
  previewSchema,
  savedDestinationSchema,
  ticketsQuery,
  ticketsSchema,
  updateDestinationBody,
} from './schema.ts'
import { batchKind, type SendingContext } from './sending.ts'
import { ticketName } from './ticket-name.ts'
import { observeBatch, settleBatches } from './worker.ts'

export interface RoutesContext extends SendingContext {
  cursors: Cursors
  signers: Signers
  /** Why a URL is not allowed; undefined if it is. */
  checkUrl: (url: string) => Promise<string | undefined>
}

const ticketsMax = 20
const noId = '00000000-0000-4000-8000-000000000000'

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function integrationRoutes(route: Route, context: RoutesContext): void {
  const { database, cursors, checkUrl, seal, now, baseUrl } = context
  const { db } = database
  const manners = { feature: 'integrations_api_export', rateFamily: 'webhooks' } as const
  const scopes = { read: 'integrations:read', write: 'integrations:write' } as const
  const sending = batchKind(context)

  const { one, url } = nounRoutes(route, {
    name: 'Destination',
    one: 'a destination',
    many: 'destinations',
    scopes,
    manners,
    filters: destinationFilters,
    data: destinationSchema,
    cursors,
    db,
    findProject,
    queries: integrationQueries,
    refusesFound: ({ allProjects }, caller) => refusesAllProjects(caller, allProjects),
    present: presented,
    etag: integrations.etag,
    texts: {
      list: 'Lists chats, mails, tickets, alarms and templates, newest first. Webhooks have routes of their own.',
      delete: 'Also deletes its delivery history. Tickets that it created are kept.',
    },
    create: {
      text: 'Secrets, such as the address of a chat, are encrypted and never returned again.',
      body: createDestinationBody,
      data: savedDestinationSchema,
      prepare: async ({ body: { kind, config, allProjects, events }, caller }) =>
        refusesAllProjects(caller, allProjects) ??
        refusesFigures(events, caller) ??
        refusesMail(kind) ??
        (await refusesAddresses(kind, config)),
      act: ({ found: { orgId, id: projectId }, by, body }) =>
        askingAfter(
          inTransaction(db, (tx) => createDestination(tx, seal, by, { orgId, projectId }, body)),
          by,
        ),
    },
    update: {
      text: '`config` changes single fields. Omitted secrets do not change; if the address leads to a different host, send them again. Enabling clears the reason and the count of failures.',
      body: updateDestinationBody,
      data: savedDestinationSchema,
      prepare: async ({ body, caller, found }) =>
        refusesAllProjects(caller, body.allProjects ?? false) ??
        (await refusesLeading(db, caller, found, { events: body.events, address: body.config && 'config' })) ??
        (await refusesAddresses(found.kind, body.config ?? {}, found.config)),
      act: ({ found, by, body, ifMatch }) =>
        askingAfter(
          inTransaction(db, (tx) => updateDestination(tx, seal, by, ifMatch, found, body)),
          by,
        ),
    },
    remove: ({ found, by, ifMatch }) => inTransaction(db, (tx) => deleteDestination(tx, by, ifMatch, found.id)),
  })

  route({
    ...manners,
    tag: 'Destination',
    params: { projectId: idField },
    find: ({ projectId }: { projectId: string }, caller: Caller) => findProject(db, caller.organization.id, projectId),
    method: 'POST',
    url: '/api/v1/projects/:projectId/destinations/preview',
    operationId: 'previewDestination',
    summary: 'Preview a message',
    description: 'Shows the request that an event would cause, without secrets. Nothing is sent or stored.',
    scope: scopes.read,
    body: previewBody,
    data: previewSchema,
    idempotent: false,
    async handle({ found: project, body, caller }) {
      const { kind, config, template, destinationId, recordId, eventId, event } = body
      const whole = await wholeConfig(caller, project, kind, config, destinationId)
      if (isRefusal(whole)) return whole
      const delivery = recordId && destinationId ? await findDelivery(db, destinationId, recordId) : undefined
      if (recordId !== undefined && !delivery) return notFound('Delivery')
      const told = delivery
        ? { eventId: null, body: JSON.parse(delivery.body) as Record<string, unknown> }
        : await bodyOfEvent(project.id, eventId, event ?? 'flag.published')
      if (isRefusal(told)) return told
      const { secrets } = apart(kind, whole)
      const previewed = { kind, config: whole, secrets, template, body: shownBody(told.body, caller) }
      return { data: { ...previewOf(previewed, baseUrl, now()), eventId: told.eventId } }
    },
  })

  route({
    tag: 'Destination',
    params: { projectId: idField },
    find: ({ projectId }: { projectId: string }, caller: Caller) => findProject(db, caller.organization.id, projectId),
    method: 'GET',
    url: '/api/dashboard/projects/:projectId/tickets',
    operationId: 'listOpenTickets',
    summary: 'List open tickets about a flag or an experiment',
    description: `Lists at most ${ticketsMax} tickets that Svc has not closed, latest first. Svc does not read tickets, so people can have closed them.`,
    scope: 'flags:read',
    query: ticketsQuery,
    data: ticketsSchema,
    async handle({ found: { orgId, id: projectId }, query: { about } }) {
      const tickets = await openTickets(db, { orgId, projectId }, about, ticketsMax)
      return {
        data: tickets.map(({ kind, key, externalId, url, toldAt }) => ({
          kind,
          name: ticketName(kind, { externalId, url }),
          url,
          event: key.split('/')[0]!,
          toldAt: toldAt.toISOString(),
        })),
      }
    },
  })

  deliveryRoutes(route, {
    one,
    url,
    record: 'recordId',
    noun: 'Destination',
    pinged: 'Destination',
    scopes,
    context,
    find: (caller, params) =>
      integrationQueries.find(db, caller.organization.id, params.projectId!, params.destinationId!),
    ping,
    retry: retryDelivery,
    replay: replayDeliveries,
  })

  async function presented(rows: Integration[]) {
    const [unconfirmed, retrying] = [await unconfirmedIn(db, rows), await countRetrying(db, rows)]
    return rows.map((row, at) =>
      presentDestination(row, { unconfirmed: unconfirmed[at]!, retrying: retrying.get(row.id)! }),
    )
  }

  /** Asks new addresses by mail once the change is committed. */
  async function askingAfter(saving: Promise<Saved | Refusal>, by: Author): Promise<Saved | Refusal> {
    const saved = await saving
    if (isRefusal(saved) || saved.asks.length === 0) return saved
    const { orgId, projectId } = saved.row
    const { name: project } = await projectOf(db, projectId)
    const { name: organization } = (await findOrganization(db, orgId))!
    const askedBy = by.actor.name
    for (const email of saved.asks) {
      const link = confirmationUrl(baseUrl, confirmationSecret(context.signers.confirmation, { orgId, email }, now()))
      context.mailer?.post(confirmationMail({ email, organization, project, askedBy, link }))
    }
    return saved
  }

  /** The body of an event by its id, of the last one with a name, or of an example. */
  async function bodyOfEvent(projectId: string, id: string | undefined, name: EventName) {
    const stored = await findEvent(db, projectId, id ? { id } : { name })
    if (!stored && id) return notFound('Event')
    const project = await projectOf(db, projectId)
    if (!stored) return { eventId: null, body: exampleBody(name, project, now()) }
    return { eventId: stored.id, body: payloadOf(noId, stored, project, stored.triggeredBy) }
  }

  /** A config that is whole and valid, with the secrets of a destination that has them already. */
  async function wholeConfig(
    caller: Pick<Caller, 'projects'>,
    { id: projectId, orgId }: { id: string; orgId: string },
    kind: KindName,
    config: Config,
    destinationId: string | undefined,
  ): Promise<Config | Refusal> {
    const row = destinationId === undefined ? null : await integrationQueries.find(db, orgId, projectId, destinationId)
    if (row === undefined || (row && row.kind !== kind)) return notFound('Destination')
    const secrets = row ? secretsOrRefusal(seal, await sealedSecretOf(db, row.secretId), row.secretId) : {}
    const refusal = row && refusesAllProjects(caller, row.allProjects)
    if (refusal) return refusal
    if (isRefusal(secrets)) return secrets
    const whole = row ? together(kind, row.config, secrets, config) : config
    return checkedConfig(kind, whole)
  }

  const refusesMail = (kind: KindName): Refusal | undefined =>
    kind === 'EMAIL' && !context.mailer
      ? refuse('invalid_state', 'This service sends no mail. The operator can set SVC_SMTP_URL.')
      : undefined

  async function refusesAddresses(kind: KindName, config: Config, shown?: Config): Promise<Refusal | undefined> {
    for (const [field, address] of addressesIn(kind, config, shown)) {
      const problem = await checkUrl(address)
      if (problem !== undefined) return invalid({ path: ['config', field], message: problem })
    }
    return undefined
  }

  async function ping(by: Author, id: string): Promise<Delivery | Refusal> {
    const { mailer, settings } = context
    const leaseOf = (kind: KindName) =>
      leaseEnd(by.now, kind === 'EMAIL' && mailer ? mailer.timeoutMs : settings.timeoutMs)
    const record = await inTransaction(db, (tx) => recordTest(tx, by, id, leaseOf))
    if (isRefusal(record)) return record
    const batch = await findBatch(db, record.id, now())
    if (!batch) return notFound('Destination')
    const attempted = await attempt(sending, batch, now)
    observeBatch(context, attempted)
    await settleBatches(context, [attempted], { isTurn: false })
    return (await findDelivery(db, id, record.id)) ?? notFound('Destination')
  }
}

function presentDestination(
  { version: _version, secretId: _secretId, ...row }: Integration,
  computed: { unconfirmed: string[]; retrying: number },
) {
  return {
    ...row,
    ...computed,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    heldUntil: row.heldUntil?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** A body as an event could have it, for a project in which none has happened yet. */
function exampleBody(name: EventName, project: PayloadProject, now: Date): Record<string, unknown> {
  if (!isProduced(name)) return testPayload(noId, project, now)
  const { $defs = {}, ...schema } = z.toJSONSchema(bodySchemas[name], { io: 'input', unrepresentable: 'any' })
  const body = exampleOf(schema as Schema, $defs as Record<string, Schema>) as Record<string, unknown>
  return { ...body, id: noId, event: name, timestamp: now.toISOString(), project }
}
