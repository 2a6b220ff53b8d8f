import { ApiError, type components, errorOf } from '@svc/client'
import type { Change, Draft } from './draft.ts'

type Experiment = components['schemas']['Experiment']

/** What the frame may do until the session ends. It is kept in memory only. */
interface Session {
  token: string
  projectId: string
  experimentId: string
  variationKey: string
  expiresAt: string
}

/** What is saved, with the version that a write is bound to. */
export interface Saved {
  draft: Draft
  etag: string
}

export interface Person {
  userId: string
  name: string
  variationKey: string
  place: 'FORM' | 'EDITOR'
}

/** What the service says about a draft that it does not take: by id of the change, or `css`, or what is wrong with all of it. */
export type Faults = Record<string, string>

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Redeems the code, and calls the service with the token that comes back. Every failed call throws an `ApiError`.
 *
 * @param onEnd the session has ended: its time is over, or somebody has ended it
 */
export async function openService(editorId: string, code: string, onEnd: (message: string) => void) {
  const session = (await send<Session>('POST', '/api/web/v1/editor/redeem', { body: { code } })).body
  const project = `/api/v1/projects/${session.projectId}/experiments/${session.experimentId}`
  const dashboard = `/api/dashboard/projects/${session.projectId}/experiments/${session.experimentId}`

  async function call<Body>(method: string, path: string, options: { body?: unknown; etag?: string } = {}) {
    try {
      return await send<Body>(method, path, { ...options, token: session.token })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onEnd(error.message)
      throw error
    }
  }
  const dataOf = async <Data>(method: string, path: string, body?: unknown): Promise<Data> =>
    (await call<{ data: Data }>(method, path, { body })).body.data
  const changesPath = (variationKey: string) => `${project}/variations/${encodeURIComponent(variationKey)}/changes`

  return {
    variationKey: session.variationKey,
    experiment: () => dataOf<Experiment>('GET', project),
    async draft(variationKey: string): Promise<Saved> {
      const { body, etag } = await call<{ data: Draft }>('GET', changesPath(variationKey))
      return { draft: { changes: body.data.changes, css: body.data.css }, etag }
    },
    /** Saves the whole draft, if it still is the one that was read. Otherwise the error has the status 412. */
    async save(variationKey: string, { changes, css }: Draft, etag: string): Promise<Saved> {
      const saved = await call<{ data: Draft }>('PUT', changesPath(variationKey), { body: { changes, css }, etag })
      return { draft: { changes: saved.body.data.changes, css: saved.body.data.css }, etag: saved.etag }
    },
    /** What the service would refuse; empty if it would take the draft. */
    async check(variationKey: string, { changes, css }: Draft): Promise<Faults> {
      try {
        await call('PUT', changesPath(variationKey), { body: { changes, css, dryRun: true } })
        return {}
      } catch (error) {
        if (error instanceof ApiError && error.issues.length > 0) return faultsOf(error, changes)
        throw error
      }
    },
    /** The pages of the experiment that this address is. */
    pagesOf: async (url: string) => (await dataOf<{ pages: string[] }>('POST', `${project}/try`, { url })).pages,
    /** The address of a preview of what is saved. */
    preview: async (variationKey: string, pageKey: string) =>
      (await dataOf<{ url: string }>('POST', `${project}/previews`, { variationKey, version: 'DRAFT', pageKey })).url,
    /** Says who is here, and returns who else is. */
    presence: async (variationKey: string, leaving = false): Promise<Person[]> =>
      (await dataOf<{ people: Person[] }>('POST', `${dashboard}/presence`, { variationKey, place: 'EDITOR', leaving }))
        .people,
    /** Ends the session, so that its token opens nothing any more. */
    close: () => call('DELETE', `${dashboard}/editor-sessions/${editorId}`),
    /** A code with which the next page of this tab opens the editor. */
    nextCode: async () =>
      (await dataOf<{ code: string }>('POST', `${dashboard}/editor-sessions/${editorId}/code`)).code,
  }
}

interface Sent<Body> {
  body: Body
  etag: string
}

async function send<Body>(
  method: string,
  path: string,
  { body, token, etag }: { body?: unknown; token?: string; etag?: string },
): Promise<Sent<Body>> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(etag !== undefined && { 'x-svc-if-match': etag }),
  }
  const answer = await fetch(path, {
    ...{ method, headers, credentials: 'omit' as const },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    const failure = { code: 'unreachable', status: 0, requestId: null }
    throw new ApiError('The service does not answer. Check the connection and try again.', failure, { cause })
  })
  if (!answer.ok) throw await errorOf(answer)
  return { body: (await answer.json()) as Body, etag: answer.headers.get('etag') ?? '*' }
}

/** The faults of a refused body at the changes that have them. */
export function faultsOf(error: ApiError, changes: readonly Change[]): Faults {
  const faults: Faults = {}
  for (const { path, message } of error.issues) {
    const [first, at, ...rest] = path
    const id = first === 'changes' && typeof at === 'number' ? changes[at]?.id : undefined
    const where = id ?? (first === 'css' ? 'css' : '')
    const field = rest.length > 0 && rest[0] !== 'value' ? `${rest.join('.')} ` : ''
    faults[where] = [faults[where], `${field}${message}`].filter(Boolean).join(' ')
  }
  return faults
}
