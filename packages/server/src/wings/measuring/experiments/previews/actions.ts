import { previewEngineFor, scriptOf } from '@svc/web'
import { invalid, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import type { Signer } from '../../../../platform/sign.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import type { DataFileStore } from '../../../serving/datafile/index.ts'
import type { Engines } from '../../../serving/web/index.ts'
import { hiddenKey } from '../actions.ts'
import { contentOfVersion } from '../content/content.ts'
import { shownDefinition } from '../present.ts'
import { experimentQueries, findPlaces, findWebSettings } from '../queries.ts'
import { refusesHost } from '../web-links/hosts.ts'
import { limits } from '../web-links/limits.ts'
import { hashOf, isPreviewSecret, newSecret, withSecret } from '../web-links/link.ts'
import {
  countOpenPreviews,
  findOpenPreview,
  insertPreview,
  lockPreview,
  noteUse,
  type OpenPreview,
  type Preview,
  setRevoked,
} from '../web-links/queries.ts'
import { forcedFile, previewDocument, readTicket, ticketText, ticketUntil } from './preview.ts'

export interface PreviewRequest {
  variationKey: string
  version: 'DRAFT' | 'LIVE'
  pageKey: string
  expiresInHours: number
}

const hourMs = 3_600_000

export async function createPreview(
  db: Db,
  by: Author,
  { orgId, experiment }: { orgId: string; experiment: Experiment },
  { variationKey, version, pageKey, expiresInHours }: PreviewRequest,
): Promise<{ preview: Preview; url: string } | Refusal> {
  const { id: experimentId, projectId, name } = experiment
  const { now } = by
  return inTransaction(db, async (tx) => {
    // Two at once must not both be the last one, and a deletion waits.
    const isThere = await experimentQueries.lock(tx, experimentId)
    const place = isThere && (await findPlaces(tx, [experimentId])).get(experimentId)
    if (!place) return notFound('Experiment')
    if (!shownDefinition(experiment, place).variations.some(({ key }) => key === variationKey))
      return invalid({ path: ['variationKey'], message: 'must be the key of a variation of the experiment.' })
    const page = contentOfVersion(experiment, place, version).pages.find(({ key }) => key === pageKey)
    if (!page) return invalid({ path: ['pageKey'], message: 'must be the key of a page of the experiment.' })
    const { url } = page
    if (url === null)
      return refuse('invalid_state', `The page ${pageKey} has no address. Set its url.`, { current: null })
    const { hosts } = await findWebSettings(tx, projectId)
    const foreign = refusesHost(url, hosts)
    if (foreign) return foreign
    const { openPerExperiment: limit } = limits.preview
    if ((await countOpenPreviews(tx, experimentId, now)) >= limit)
      return refuse('invalid_state', `The experiment has ${limit} open previews. Revoke one.`, { limit })
    const secret = newSecret()
    const preview: Preview = {
      ...{ id: newId(), experimentId, variationKey, version, pageKey, url },
      ...{ createdBy: by.actor.user?.name ?? by.actor.name, createdAt: now, lastUsedAt: null, revokedAt: null },
      expiresAt: new Date(now.getTime() + expiresInHours * hourMs),
    }
    await insertPreview(tx, { ...preview, secretHash: hashOf(secret) })
    await by.record(tx, {
      ...{ orgId, projectId, action: 'experiment.create_preview' },
      object: { type: 'experiment', id: experimentId, name },
      after: { previewId: preview.id, variationKey, version, pageKey, expiresAt: preview.expiresAt },
    })
    return { preview, url: withSecret(url, 'svc-preview', secret) }
  })
}

/** Ends a preview: the next page of a tab that shows it is what visitors get. Repeating it changes nothing. */
export async function revokePreview(
  db: Db,
  by: Author,
  { orgId, experiment, previewId }: { orgId: string; experiment: Experiment; previewId: string },
): Promise<Preview | Refusal> {
  const { id: experimentId, projectId, name } = experiment
  return inTransaction(db, async (tx) => {
    const preview = await lockPreview(tx, experimentId, previewId)
    if (!preview) return notFound('Preview')
    if (preview.revokedAt) return preview
    await setRevoked(tx, previewId, by.now)
    await by.record(tx, {
      ...{ orgId, projectId, action: 'experiment.revoke_preview' },
      object: { type: 'experiment', id: experimentId, name },
      before: { previewId, revokedAt: null },
      after: { previewId, revokedAt: by.now },
    })
    return { ...preview, revokedAt: by.now }
  })
}

export interface PreviewContext {
  db: Db
  now: () => Date
  baseUrl: string
  signer: Signer
  dataFiles: Pick<DataFileStore, 'find'>
  engines: Engines
}

const unknownPreview = (): Refusal => refuse('unauthorized', 'This preview is unknown, was revoked or has expired.')

/** Exchanges the secret of an open preview for a ticket, on a site that has the script of the preview's environment. */
export async function takeTicket(
  { db, now, signer, dataFiles }: PreviewContext,
  { sdkKey, secret, variationKey }: { sdkKey: string; secret: string; variationKey?: string | undefined },
): Promise<{ ticket: string; expiresAt: Date } | Refusal> {
  const at = now()
  const preview = isPreviewSecret(secret) ? await findOpenPreview(db, { secretHash: hashOf(secret) }, at) : undefined
  const environment = preview && (await dataFiles.find(sdkKey))
  if (!preview || environment?.envId !== preview.envId) return unknownPreview()
  await noteUse(db, preview.id, at, new Date(at.getTime() - limits.usedEveryMs))
  const expiresAt = ticketUntil(at)
  const shown = variationKey ?? preview.variationKey
  const text = ticketText({ previewId: preview.id, sdkKey, variationKey: shown, until: expiresAt.getTime() })
  return { ticket: `${text}.${signer.sign(text)}`, expiresAt }
}

/** The module of a ticket: the script of the preview, and what it says about itself. Undefined if the ticket is over. */
export async function moduleOf(context: PreviewContext, given: string): Promise<string | undefined> {
  const { db, now, baseUrl, signer, engines } = context
  const [text = '', signature = ''] = given.split('.')
  if (!signer.isSigned(text, signature)) return undefined
  const { previewId, sdkKey, variationKey, until } = readTicket(text)
  const at = now()
  const preview = at.getTime() < until ? await findOpenPreview(db, { id: previewId }, at) : undefined
  if (!preview) return undefined
  const found = await shownBy(db, preview, variationKey)
  if (!found) return undefined
  const { experiment, shown, about } = found
  const served = previewDocument(shown, await findWebSettings(db, experiment.projectId))
  const file = forcedFile(shown)
  const engine = previewEngineFor(engines, file, JSON.parse(served.web))
  const script = scriptOf(engine, { baseUrl, sdkKey, file: JSON.stringify(file), ...served })
  return `${script}export const preview = ${JSON.stringify(about)}\n`
}

async function shownBy(
  db: Db,
  { orgId, projectId, experimentId, envId, version, ...preview }: OpenPreview,
  wanted: string,
) {
  const experiment = await experimentQueries.find(db, orgId, projectId, experimentId)
  const place = (await findPlaces(db, [experimentId])).get(experimentId)
  if (!experiment || !place) return undefined
  const { variations } = shownDefinition(experiment, place)
  const [first] = variations
  // A draft can have lost the variation since.
  const shown = [wanted, preview.variationKey].find((key) => variations.some((each) => each.key === key)) ?? first!.key
  const isNever = version === 'LIVE' && experiment.launchedAt === null
  const web = contentOfVersion(experiment, place, version)
  return {
    experiment,
    shown: {
      key: hiddenKey(experiment.shortId),
      environment: { id: envId, key: '' },
      // Nobody gets anything before the launch.
      web: isNever ? { ...web, variations: {} } : web,
      ...{ variations, variationKey: shown },
    },
    about: {
      ...{ experiment: experiment.name, version, variationKey: shown },
      variations: variations.map(({ key, name }) => ({ key, name })),
    },
  }
}
