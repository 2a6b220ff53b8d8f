import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { holdsScope, type Scope } from '../../../../catalogue/scopes.ts'
import type { Authenticators } from '../../../../http/credentials.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { editorPrefix, newEditorSecret, newId } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { isSignedIn, signedInSessions } from '../../../people/sessions/index.ts'
import { isSecret } from '../../../people/tokens/index.ts'
import { refusesIn } from '../experiment.ts'
import { shownDefinition } from '../present.ts'
import { experimentQueries, findPlaces, findWebSettings } from '../queries.ts'
import { refusesHost } from '../web-links/hosts.ts'
import { idleSince, limits } from '../web-links/limits.ts'
import { frameOrigin, hashOf, newCode, withSecret } from '../web-links/link.ts'
import {
  deleteUnusedCodes,
  endOldestEditors,
  findEditorByToken,
  findEditorOrigin,
  insertCode,
  insertEditor,
  lockCode,
  lockEditor,
  lockEditorsOf,
  noteUse,
  setRevoked,
  setToken,
  setUsed,
} from '../web-links/queries.ts'

const momentOf = (now: Date) => ({ now, idleSince: idleSince(now) })

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

/** Starts a session of the visual editor, which ends with the session of its person. */
export async function openEditor(
  db: Db,
  by: Author,
  {
    orgId,
    experiment,
    person,
  }: { orgId: string; experiment: Experiment; person: { userId: string; sessionId: string } },
  { variationKey, url }: { variationKey: string; url: string },
): Promise<{ id: string; url: string; expiresAt: Date } | Refusal> {
  const { id: experimentId, projectId, name, status } = experiment
  const { now } = by
  return inTransaction(db, async (tx) => {
    // A deletion of the experiment or of its project waits, or has left nothing to edit.
    const isThere = await experimentQueries.lock(tx, experimentId)
    const place = isThere && (await findPlaces(tx, [experimentId])).get(experimentId)
    if (!place) return notFound('Experiment')
    if (!shownDefinition(experiment, place).variations.some(({ key }) => key === variationKey))
      return invalid({
        path: ['variationKey'],
        message: 'variationKey must be the key of a variation of the experiment.',
      })
    const { hosts } = await findWebSettings(tx, projectId)
    const refusal = refusesIn('redefine', status) ?? refusesHost(url, hosts)
    if (refusal) return refusal
    await lockEditorsOf(tx, person.userId)
    const id = newId()
    const origin = frameOrigin(url)!
    const expiresAt = after(now, limits.editor.longestMs)
    await insertEditor(tx, { id, experimentId, variationKey, origin, ...person, now, expiresAt })
    await endOldestEditors(tx, person.userId, limits.editor.openPerPerson, momentOf(now))
    const code = await addCode(tx, { id, experimentId }, now)
    await by.record(tx, {
      ...{ orgId, projectId, action: 'experiment.open_editor' },
      object: { type: 'experiment', id: experimentId, name },
      after: { editorSessionId: id, variationKey, origin },
    })
    return { id, url: withSecret(url, 'svc-editor', code.code), expiresAt: code.expiresAt }
  })
}

async function addCode(tx: Tx, { id: editorId, experimentId }: { id: string; experimentId: string }, now: Date) {
  const code = newCode(editorId)
  const expiresAt = after(now, limits.editor.codeMs)
  await insertCode(tx, { id: newId(), editorId, experimentId, secretHash: hashOf(code), now, expiresAt })
  return { code, expiresAt }
}

/** A code for the next page of the tab. Codes that were not used until they expired go. */
export function renewCode(
  db: Db,
  { id, experimentId }: { id: string; experimentId: string },
  now: Date,
): Promise<{ code: string; expiresAt: Date } | Refusal> {
  return inTransaction(db, async (tx) => {
    if (!(await lockEditor(tx, experimentId, id, momentOf(now)))) return hasEnded()
    await deleteUnusedCodes(tx, id, now)
    return addCode(tx, { id, experimentId }, now)
  })
}

/** Ends a session. Repeating it changes nothing. */
export async function closeEditor(
  db: Db,
  by: Author,
  { orgId, experiment, id }: { orgId: string; experiment: Experiment; id: string },
): Promise<null | Refusal> {
  const { id: experimentId, projectId, name } = experiment
  return inTransaction(db, async (tx) => {
    const editor = await lockEditor(tx, experimentId, id, momentOf(by.now))
    if (!editor) return null
    await setRevoked(tx, id, by.now)
    await by.record(tx, {
      ...{ orgId, projectId, action: 'experiment.close_editor' },
      object: { type: 'experiment', id: experimentId, name },
      before: { editorSessionId: id, variationKey: editor.variationKey, user: editor.user },
    })
    return null
  })
}

export interface Redeemed {
  token: string
  projectId: string
  experimentId: string
  variationKey: string
  expiresAt: Date
}

/**
 * Exchanges a code for a token, which replaces the one that the page before had. A code that comes twice has two owners, so
 * it ends the session.
 */
export async function redeemCode(db: Db, code: string, now: Date): Promise<Redeemed | Refusal> {
  const tried = await inTransaction(db, async (tx) => {
    const found = await lockCode(tx, hashOf(code), momentOf(now))
    if (!found?.isEditorOpen) return hasEnded()
    const { editorId, projectId, experimentId, variationKey, userId, sessionId } = found
    if (found.usedAt !== null) {
      await setRevoked(tx, editorId, now)
      return { isSecond: true as const }
    }
    if (found.expiresAt <= now) return refuse('unauthorized', 'This code has expired. Open the editor again.')
    if (!(await isSignedIn(tx, { userId, id: sessionId }, now))) return hasEnded()
    const token = newEditorSecret()
    await setUsed(tx, found.id, now)
    await deleteUnusedCodes(tx, editorId)
    await setToken(tx, editorId, hashOf(token), now)
    return { token, projectId, experimentId, variationKey, expiresAt: found.editorExpiresAt }
  })
  if (isRefusal(tried) || !('isSecond' in tried)) return tried
  return refuse('unauthorized', 'This code was used before, so the editor session has ended. Open the editor again.')
}

const hasEnded = (): Refusal => refuse('unauthorized', 'The editor session has ended. Open the editor again.')

/**
 * The origin whose pages can have the frame of an open session. Everybody can write a link with a code, also to a site of a
 * different project: so the script of the page must be one of the session's project.
 */
export const findEditorFrame = (
  db: Db,
  which: { id: string; sdkKey: string },
  now: Date,
): Promise<string | undefined> => findEditorOrigin(db, which, momentOf(now))

/** All that the editor may do, if its person may. */
const editorScopes: readonly Scope[] = ['experiments:read', 'experiments:write']

/** Finds the session of a token. What it opens follows from what its person may do now. */
export const editorAuthenticator =
  (db: Db, now: () => Date): Authenticators['editor'] =>
  async (secret, isUse) => {
    const at = now()
    const editor = isSecret(secret, editorPrefix)
      ? await findEditorByToken(db, hashOf(secret), momentOf(at))
      : undefined
    const [credential] = editor ? await signedInSessions(db, [editor.sessionId], at) : []
    if (!editor || !credential) return hasEnded()
    if (isUse) await noteUse(db, editor.id, at, after(at, -limits.usedEveryMs))
    const { id, projectId, experimentId, orgId } = editor
    const memberships = credential.memberships
      .filter(({ organization }) => organization.id === orgId)
      .map((membership) => ({
        ...membership,
        scopes: new Set(editorScopes.filter((scope) => holdsScope(membership.scopes, scope))),
        projects: new Set([projectId].filter((each) => membership.projects?.has(each) ?? true)),
      }))
    return memberships.length === 0 ? hasEnded() : { ...credential, id, memberships, editor: { id, experimentId } }
  }
