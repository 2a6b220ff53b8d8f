import { randomBytes } from 'node:crypto'
import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { isRefusal, notFound, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { brokenRules, notingFields } from '../../../platform/issue-text.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { giveAgain } from '../../../shown-secret.ts'
import { keyFor } from '../../flags/projects/index.ts'
import {
  type Delivery,
  deleteOfOtherProjects,
  findDelivery,
  insertTestPing,
  type ReplayRange,
  replayRange,
  retryFailed,
  wakeWorkers,
} from '../deliveries/index.ts'
import {
  insertSecret,
  type JsonTemplate,
  type KindName,
  textsOf,
  toggled,
  unknownPlaceholders,
} from '../destinations/index.ts'
import { apart, type Config, keptElsewhere, secretsOrRefusal, together } from './config.ts'
import { linkValidMs } from './confirmation/link.ts'
import {
  confirmAddress,
  countAsked,
  forgetAddress,
  type Integration,
  insertIntegration,
  integrationQueries,
  isAnyAsked,
  lockIntegrationCount,
  noteAsked,
  reachableAmong,
  saveIntegration,
  sealedSecretOf,
  unknownEnvironments,
} from './queries.ts'
import { configOf, type DestinationUpdate, type NewDestination } from './schema.ts'

const maxPerOrganization = 100
/**
 * The limit of addresses that were asked and have not answered. It keeps people from using the service to send mail to
 * strangers.
 */
const askedMax = 50
const askAgainMs = 86_400_000
const secretBytes = 32

/** A saved destination; `secret` is set once, when a signing secret was made. */
export interface Saved {
  row: Integration
  shown: { secret: string | null }
  /** Addresses that are to be asked by mail, after the commit. */
  asks: string[]
}

type Content = Pick<
  Integration,
  | 'key'
  | 'name'
  | 'config'
  | 'events'
  | 'environmentIds'
  | 'allProjects'
  | 'template'
  | 'digest'
  | 'quietHours'
  | 'enabled'
  | 'secretId'
>

export const integrations = nounActions<Integration, Content>({
  noun: 'destination',
  place: 'organization',
  most: maxPerOrganization,
  nameConstraint: '',
  keyConstraint: 'destinations_key_key',
  content: ({
    key,
    name,
    config,
    events,
    environmentIds,
    allProjects,
    template,
    digest,
    quietHours,
    enabled,
    secretId,
  }) => ({ key, name, config, events, environmentIds, allProjects, template, digest, quietHours, enabled, secretId }),
  record: ({ tx, by }, row, verb, states) => recordChange(tx, by, row, `destination.${verb}`, states),
})

/** Creates a destination. The caller has checked the addresses and who may hear of all projects. */
export async function createDestination(
  tx: Tx,
  seal: Seal,
  by: Author,
  { orgId, projectId }: { orgId: string; projectId: string },
  { key, kind, config, ...fields }: NewDestination,
): Promise<Saved | Refusal> {
  const refusal =
    integrations.refusesMoreThan(await lockIntegrationCount(tx, orgId)) ??
    (await refusesContent(tx, orgId, { ...fields, projectId, kind, config }))
  if (refusal) return refusal
  const taken = await integrationQueries.keys(tx, projectId)
  if (key !== undefined && taken.has(key)) return integrations.keyTaken
  const made = withSigningSecret(kind, config, {})
  const { shown, secrets } = apart(kind, config)
  const row: Integration = {
    ...newRow(by, projectId),
    orgId,
    key: key ?? keyFor(fields.name, 'destination', taken),
    kind,
    ...fields,
    config: shown,
    enabled: true,
    disabledAt: null,
    disableReason: null,
    consecutiveFailures: 0,
    heldUntil: null,
    secretId: newId(),
  }
  await integrations.create({ tx, by, orgId }, row, async (inserted) => {
    await insertIntegration(tx, inserted)
    await sealSecrets(tx, seal, inserted, { ...secrets, ...made }, by.now)
  })
  return { row, shown: { secret: made.secret ?? null }, asks: await asksOf(tx, row, by.now) }
}

/** Edits the content and moves the switch in one write. */
export async function updateDestination(
  tx: Tx,
  seal: Seal,
  by: Author,
  ifMatch: IfMatch,
  { orgId, id }: Integration,
  { config: edit, ...fields }: DestinationUpdate,
): Promise<Saved | Refusal> {
  const current = await integrationQueries.lock(tx, id)
  if (!current) return notFound('Destination')
  const { kind, projectId } = current
  const changed = edit ? await editedConfig(tx, seal, current, edit) : unchanged(current)
  if (isRefusal(changed)) return changed
  const { config, shown, sealing, made } = changed
  const row = await integrations.edit({ tx, by, orgId }, current, {
    ifMatch,
    edit: { ...fields, config: shown, secretId: sealing ? newId() : current.secretId },
    refuses: (after) => refusesContent(tx, orgId, { ...after, projectId, kind, config }),
    next: (edited, before) => ({
      ...edited,
      ...toggled({ ...edited, enabled: before.enabled }, edited.enabled, by.now),
    }),
    async save(edited, before) {
      if (sealing) await sealSecrets(tx, seal, edited, sealing, by.now)
      await saveIntegration(tx, edited)
      // Those who see only this project can read its deliveries from now on, and lead them elsewhere.
      if (before.allProjects && !edited.allProjects) await deleteOfOtherProjects(tx, edited)
      if (!before.enabled && edited.enabled) await wakeWorkers(tx)
    },
  })
  if (isRefusal(row)) return row
  return { row, shown: { secret: made.secret ?? null }, asks: edit ? await asksOf(tx, row, by.now) : [] }
}

/** The addresses that belong to no member and have not agreed. */
async function strangersAmong(db: Db, orgId: string, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  const reachable = await reachableAmong(db, orgId, addresses)
  return addresses.filter((each) => !reachable.includes(each))
}

const addressesOf = ({ kind, config }: Pick<Integration, 'kind' | 'config'>): string[] =>
  kind === 'EMAIL' ? (config.to as string[]) : []

async function asksOf(tx: Tx, row: Integration, now: Date): Promise<string[]> {
  const strangers = await strangersAmong(tx, row.orgId, addressesOf(row))
  if (strangers.length === 0) return []
  return noteAsked(tx, row.orgId, strangers, { since: new Date(now.getTime() - askAgainMs), now })
}

/** The addresses of each destination that get nothing yet, because they have not agreed. */
export async function unconfirmedIn(db: Db, rows: readonly Integration[]): Promise<string[][]> {
  const all = [...new Set(rows.flatMap(addressesOf))]
  const strangers = new Set(rows[0] ? await strangersAmong(db, rows[0].orgId, all) : [])
  return rows.map((row) => addressesOf(row).filter((each) => strangers.has(each)))
}

/** Whether one of the addresses has a link with which it can still agree. */
export const awaitsAnswer = (db: Db, orgId: string, addresses: readonly string[], now: Date): Promise<boolean> =>
  isAnyAsked(db, orgId, addresses, new Date(now.getTime() - linkValidMs))

/** Lets the holder of a link agree to mail. Doing so again changes nothing. */
export async function agreeToMail(
  tx: Tx,
  by: Author,
  { orgId, email }: { orgId: string; email: string },
  organization: string,
): Promise<null | Refusal> {
  const isNew = await confirmAddress(tx, orgId, email, by.now)
  if (isNew === undefined) return notFound('Link')
  const object = { type: 'organization', id: orgId, name: organization } as const
  if (isNew)
    await by.record(tx, { orgId, projectId: null, action: 'organization.confirm_mail', object, after: { email } })
  return null
}

interface EditedConfig {
  config: Config
  shown: Config
  /** The secrets, if they are others than before. */
  sealing: Config | null
  made: { secret?: string }
}

/** A destination whose config is not edited needs no secret. */
const unchanged = ({ config }: Integration): EditedConfig => ({ config, shown: config, sealing: null, made: {} })

async function editedConfig(
  tx: Tx,
  seal: Seal,
  { kind, config: before, secretId }: Integration,
  edit: Config,
): Promise<EditedConfig | Refusal> {
  const sealed = secretsOrRefusal(seal, await sealedSecretOf(tx, secretId), secretId)
  if (isRefusal(sealed)) return sealed
  const config = checkedConfig(kind, together(kind, before, sealed, edit))
  if (isRefusal(config)) return config
  const elsewhere = keptElsewhere(kind, before, sealed, edit, config)
  if (elsewhere.length > 0)
    return refuseIssues(elsewhere.map((name) => ({ path: ['config', name], message: giveAgain })))!
  const made = withSigningSecret(kind, config, sealed)
  const { shown, secrets } = apart(kind, config)
  const next: Config = { ...secrets, ...(config.sign === true && { secret: sealed.secret }), ...made }
  const isSame = JSON.stringify(sorted(next)) === JSON.stringify(sorted(sealed))
  return { config, shown, sealing: isSame ? null : next, made }
}

/** The config as its kind reads it, or why it is invalid. */
export function checkedConfig(kind: KindName, config: Config): Config | Refusal {
  const parsed = configOf(kind, config, { error: notingFields })
  if (parsed.success) return parsed.data
  const broken = brokenRules(parsed.error.issues, { document: config, kind: 'field' })
  return refuseIssues(broken.map(({ path, message }) => ({ path: ['config', ...path.map(String)], message })))!
}

const sorted = (config: Config) => Object.entries(config).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** A TEMPLATE that signs has a secret of its own, which is made once. */
function withSigningSecret(kind: KindName, config: Config, sealed: Config): { secret?: string } {
  if (kind !== 'TEMPLATE' || config.sign !== true || sealed.secret !== undefined) return {}
  return { secret: randomBytes(secretBytes).toString('hex') }
}

async function sealSecrets(
  tx: Tx,
  seal: Seal,
  { id, secretId }: Integration,
  secrets: Config,
  now: Date,
): Promise<void> {
  const sealed = seal.seal(JSON.stringify(secrets), secretId)
  await insertSecret(tx, { id: secretId, destinationId: id, sealed }, now)
}

/** What only the rest of the organization or the other fields can refuse. */
async function refusesContent(
  tx: Tx,
  orgId: string,
  {
    projectId,
    kind,
    config,
    events,
    environmentIds,
    allProjects,
    template,
  }: Pick<Integration, 'projectId' | 'kind' | 'events' | 'environmentIds' | 'allProjects' | 'template'> & {
    config: Config
  },
): Promise<Refusal | undefined> {
  const unknown = await unknownEnvironments(tx, orgId, allProjects ? null : projectId, environmentIds ?? [])
  const misplaced = unknown.map((id) => ({
    path: ['environmentIds', environmentIds!.indexOf(id)],
    message: `There is no environment ${id} in this ${allProjects ? 'organization' : 'project'}.`,
  }))
  const addresses = addressesOf({ kind, config })
  const strangers = await strangersAmong(tx, orgId, addresses)
  const tooMany =
    strangers.length > 0 && (await countAsked(tx, orgId)) >= askedMax
      ? strangers.map((each) => ({
          path: ['config', 'to', addresses.indexOf(each)],
          message: `${askedMax} addresses of this organization have not yet confirmed that they want mail. Invite ${each} as a member instead.`,
        }))
      : []
  const texts: [string[], string[]][] = [
    [['template', 'title'], [template?.title ?? '']],
    [['template', 'summary'], [template?.summary ?? '']],
    [['config', 'body'], kind === 'TEMPLATE' ? textsOf(config.body as JsonTemplate) : []],
  ]
  const problems = texts.flatMap(([path, all]) =>
    unknownPlaceholders(all, events).map((name) => ({
      path,
      message: `None of the events of this destination has {{${name}}}.`,
    })),
  )
  return refuseIssues([...misplaced, ...tooMany, ...problems])
}

/** Removes an address from a destination by mail. If it was the last one, the destination is disabled. */
export async function removeAddress(tx: Tx, by: Author, id: string, address: string): Promise<null | Refusal> {
  const row = await integrationQueries.lock(tx, id)
  const to = (row?.config.to ?? []) as string[]
  if (!row || !to.includes(address)) return notFound('Link')
  const others = to.filter((each) => each !== address)
  const edited = await integrations.edit({ tx, by, orgId: row.orgId }, row, {
    ifMatch: () => undefined,
    edit: others.length > 0 ? { config: { ...row.config, to: others } } : { enabled: false },
    next: (after) =>
      after.enabled ? after : { ...after, disabledAt: by.now, disableReason: `${address} has unsubscribed.` },
    save: (after) => saveIntegration(tx, after),
  })
  if (isRefusal(edited)) return edited
  await forgetAddress(tx, row.orgId, address)
  return null
}

/** Only a person who sees all projects can hear of all of them. */
export function refusesAllProjects(
  { projects }: { projects: ReadonlySet<string> | null },
  allProjects: boolean,
): Refusal | undefined {
  if (!allProjects || projects === null) return undefined
  return refuse(
    'role_missing',
    'This destination gets the events of all projects. Only people who can see all projects can do this.',
  )
}

/** Deletes a destination with its deliveries and what it knows of its tickets. */
export async function deleteDestination(tx: Tx, by: Author, ifMatch: IfMatch, id: string): Promise<null | Refusal> {
  const row = await integrationQueries.lock(tx, id)
  if (!row) return notFound('Destination')
  const failed = ifMatch(integrations.etag(row))
  if (failed) return failed
  const { key, name, kind, config, events } = row
  // Record first, so that the event counter is locked before the row, as in every change that delivers to it.
  await recordChange(tx, by, row, 'destination.delete', { before: { key, name, kind, config, events } })
  await integrationQueries.remove(tx, id)
  return null
}

/** Sends a failed delivery again, by the destination as it is now. */
export async function retryDelivery(
  tx: Tx,
  by: Author,
  { destinationId, recordId }: { destinationId: string; recordId: string },
): Promise<Delivery | Refusal> {
  const row = await integrationQueries.lock(tx, destinationId)
  const delivery = row ? await retryFailed(tx, row, recordId, by.now) : notFound('Delivery')
  if (isRefusal(delivery)) return delivery
  await recordChange(tx, by, row!, 'destination.retry_delivery', { after: { deliveryId: recordId } })
  return delivery
}

/** Sends a range of deliveries again, by the destination as it is now. */
export async function replayDeliveries(
  tx: Tx,
  by: Author,
  id: string,
  range: ReplayRange,
): Promise<{ replayed: number } | Refusal> {
  const row = await integrationQueries.lock(tx, id)
  if (!row) return notFound('Destination')
  const replayed = await replayRange(tx, row, range, by.now)
  await recordChange(tx, by, row, 'destination.replay', { after: { ...range, replayed } })
  return { replayed }
}

/** Creates the record of a test message, leased to the caller. */
export async function recordTest(
  tx: Tx,
  by: Author,
  id: string,
  leaseOf: (kind: KindName) => Date,
): Promise<Delivery | Refusal> {
  const row = await integrationQueries.lock(tx, id)
  if (!row) return notFound('Destination')
  const recordId = await insertTestPing(tx, row, leaseOf(row.kind), by.now)
  await recordChange(tx, by, row, 'destination.test', { after: { deliveryId: recordId } })
  return (await findDelivery(tx, id, recordId))!
}

function recordChange(
  tx: Tx,
  by: Author,
  { id, name, kind, enabled, orgId, projectId }: Integration,
  action: Exclude<ActionOn<'destination'>, 'destination.disable'>,
  states: { before?: unknown; after?: unknown },
): Promise<void> {
  const [event] = actions[action].events
  return by.record(tx, {
    orgId,
    projectId,
    action,
    object: { type: 'destination', id, name },
    ...states,
    events: [{ name: event, payload: { destination: { id, name, kind, enabled } } }],
  })
}
