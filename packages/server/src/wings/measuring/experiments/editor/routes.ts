import { z } from 'zod'
import { isRefusal } from '../../../../catalogue/refusals.ts'
import type { Caller } from '../../../../http/credentials.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { idleSince } from '../web-links/limits.ts'
import { type Editor, listEditors } from '../web-links/queries.ts'
import { closeEditor, openEditor, renewCode } from './actions.ts'
import {
  editorSessionBody,
  editorSessionParams,
  editorSessionSchema,
  openedEditorSchema,
  renewedCodeSchema,
} from './schema.ts'

interface Context {
  db: Db
  now: () => Date
  one: OneOf<Experiment>
}

/** The address of one experiment for people who are signed in. */
export const dashboardUrl = '/api/dashboard/projects/:projectId/experiments/:experimentId'

/** Sessions of the visual editor. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function editorRoutes(route: Route, { db, now, one }: Context): void {
  const url = `${dashboardUrl}/editor-sessions`
  const ofPage = {
    ...one,
    access: 'session' as const,
    /** An experiment of a flag has no pages. */
    async find(params: Parameters<typeof one.find>[0], caller: Caller) {
      const experiment = await one.find(params, caller)
      return experiment?.type === 'WEB' ? experiment : undefined
    },
  }
  const ofSession = {
    ...ofPage,
    params: { ...one.params, ...editorSessionParams },
    /** For an editor, there is no other session than its own. */
    async find(params: Parameters<typeof one.find>[0] & { editorSessionId: string }, caller: Caller) {
      const isForeign = caller.editor !== undefined && caller.editor.id !== params.editorSessionId
      return isForeign ? undefined : ofPage.find(params, caller)
    },
  }

  route({
    ...ofPage,
    method: 'POST',
    url,
    operationId: 'openEditorSession',
    summary: 'Open the visual editor of an experiment',
    description:
      'Returns an address of the site with a code, which works once and for 60 seconds. Open it in a new tab. The session ends with your session in the dashboard, after 30 minutes without use and after 8 hours at the latest. With an eleventh session, your oldest one ends.',
    scope: 'experiments:write',
    body: editorSessionBody,
    data: openedEditorSchema,
    status: 201,
    async handle({ caller, found: experiment, by, body }) {
      const person = { userId: caller.user!.id, sessionId: caller.id }
      const opened = await openEditor(db, by, { orgId: caller.organization.id, experiment, person }, body)
      return isRefusal(opened) ? opened : { data: { ...opened, expiresAt: opened.expiresAt.toISOString() } }
    },
  })

  route({
    ...ofPage,
    method: 'GET',
    url,
    operationId: 'listEditorSessions',
    summary: 'List open sessions of the visual editor',
    description: 'The 100 newest ones, newest first.',
    scope: 'experiments:read',
    data: editorSessionSchema.array(),
    async handle({ found }) {
      const at = now()
      return { data: (await listEditors(db, found.id, { now: at, idleSince: idleSince(at) })).map(present) }
    },
  })

  route({
    ...ofSession,
    method: 'DELETE',
    url: `${url}/:editorSessionId`,
    operationId: 'closeEditorSession',
    summary: 'End a session of the visual editor',
    description: 'Its token stops working at once. Drafts stay. A session that has ended stays as it is.',
    scope: 'experiments:write',
    data: z.null(),
    opensToEditors: true,
    async handle({ caller, found: experiment, params, by }) {
      const which = { orgId: caller.organization.id, experiment, id: params.editorSessionId }
      const closed = await closeEditor(db, by, which)
      return isRefusal(closed) ? closed : { data: null }
    },
  })

  route({
    ...ofSession,
    method: 'POST',
    url: `${url}/:editorSessionId/code`,
    operationId: 'renewEditorCode',
    summary: 'Get a code for the next page',
    description:
      'Only for the editor itself: it leaves the code in its tab, so that it opens on the next page of the site. The code works once and for 60 seconds.',
    scope: 'experiments:write',
    data: renewedCodeSchema,
    status: 201,
    idempotent: false,
    opensToEditors: 'WHILE_IDLE',
    /** For everybody but the editor itself, there is no such session. */
    async find(params: Parameters<typeof one.find>[0] & { editorSessionId: string }, caller: Caller) {
      return caller.editor ? ofSession.find(params, caller) : undefined
    },
    async handle({ found, params }) {
      const renewed = await renewCode(db, { id: params.editorSessionId, experimentId: found.id }, now())
      return isRefusal(renewed) ? renewed : { data: { ...renewed, expiresAt: renewed.expiresAt.toISOString() } }
    },
  })
}

const present = ({ experimentId: _experiment, createdAt, lastUsedAt, expiresAt, ...shown }: Editor) => ({
  ...shown,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt!.toISOString(),
  expiresAt: expiresAt.toISOString(),
})
