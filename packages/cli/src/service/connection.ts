import { Readable } from 'node:stream'
import { type ApiClient, ApiError, apiClient, errorOf } from '@svc/client'
import type { Settings } from '../files/settings.ts'
import type { GlobalValues } from '../options.ts'
import { named, usage } from '../problem.ts'
import type { Output } from '../terminal/output.ts'
import { progressOn } from '../terminal/progress.ts'
import { obeysCodes } from '../terminal/terminal.ts'
import { version } from '../version.ts'
import type { World } from '../world.ts'
import { faultOf, patientFetch } from './patience.ts'
import { remembering } from './remember.ts'

/** The way to the service: typed calls, and any call. Both are patient, and both throw an ApiError on a failure. */
export interface Connection {
  url: string
  api: ApiClient
  /** Any call. The path begins with a slash. A failure is thrown. */
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response>
  /** Sends a file once, as it is read, however long that takes. */
  sendFile(path: string, file: AsyncIterable<Uint8Array>): Promise<Response>
}

export function connect(
  world: Pick<World, 'env' | 'fetch' | 'now' | 'sleep' | 'stderr'>,
  settings: Pick<Settings, 'url' | 'org' | 'timeoutMs'>,
  token: string | undefined,
  output: Output,
  globals: GlobalValues,
  remembers = false,
): Connection {
  const baseUrl = settings.url!.value
  const isQuiet = globals.quiet === true || output.isJson
  const progress = progressOn(world.stderr, { isQuiet, erases: obeysCodes(world.stderr, world.env) })
  const patient = patientFetch(world, {
    timeoutMs: settings.timeoutMs,
    onAnswer({ method, url }, answer, ms) {
      if (!globals.verbose) return
      const what = 'failure' in answer ? answer.failure : `${answer.status} request ${answer.requestId ?? '-'}`
      output.warn(`svc: ${method} ${url} ${what} ${ms} ms`)
    },
    onWait: output.say,
  })
  const answer = remembers ? remembering(patient) : patient
  const headers = (): Record<string, string> => ({
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(settings.org && { 'svc-org-id': settings.org.value }),
    'user-agent': `svc-cli/${version}`,
  })
  const reachable = (request: Request): Promise<Response> => arrived(request, progress(answer(request)))
  const arrived = async (request: Request, answering: Promise<Response>): Promise<Response> => {
    const response = await answering.catch((error: unknown) => {
      throw new ApiError(`${baseUrl} does not answer: ${faultOf(error)}.`, {
        code: 'unreachable',
        status: 0,
        requestId: null,
      })
    })
    if (!isPage(request, response)) return response
    throw new ApiError(
      `${baseUrl} answers with a web page. Check that this is the address of Svc, without a sign-in page in between.`,
      {
        code: 'unreadable',
        status: response.status,
        requestId: null,
      },
    )
  }
  const sendFile: Connection['sendFile'] = async (path, file) => {
    const request = fileRequest(`${baseUrl}${path}`, headers(), file)
    const response = await arrived(request, world.fetch(request))
    if (response.ok) return response
    throw explained(await errorOf(response))
  }
  const send: Connection['send'] = async (method, path, { headers: own = {}, body } = {}) => {
    // Without the slash, the path could lengthen the name of the host.
    if (!path.startsWith('/')) throw usage(`A path must begin with a slash (got ${path}).`)
    const address = new URL(`${baseUrl}${path}`)
    const given = new Headers({ ...headers(), ...own })
    const response = await reachable(
      new Request(address, { method, headers: given, ...(body !== undefined && { body }) }),
    )
    if (response.ok || response.status === 304) return response
    throw explained(await errorOf(response))
  }
  const explained = (error: ApiError): ApiError =>
    settings.org && error.code === 'not_found' && error.message === 'Organization not found.'
      ? named(error, `Organization "${settings.org.value}" was not found.`)
      : error
  const api = apiClient({ baseUrl, headers, fetch: reachable })
  api.use({
    // The middleware that was added last sees an answer first, so the client's own check comes after this one.
    async onResponse({ response }) {
      if (response.ok || response.status === 304) return
      throw explained(await errorOf(response))
    },
  })
  return { url: baseUrl, api, send, sendFile }
}

function fileRequest(address: string, headers: Record<string, string>, file: AsyncIterable<Uint8Array>): Request {
  const body = Readable.toWeb(Readable.from(file, { objectMode: false })) as ReadableStream
  const given = { ...headers, 'content-type': 'application/octet-stream' }
  return new Request(new URL(address), { method: 'POST', headers: given, body, duplex: 'half' } as RequestInit)
}

/** Whether a route of data was answered with a page, as proxies answer that want a sign-in. */
const isPage = ({ url }: Request, { ok, headers }: Response): boolean =>
  ok &&
  headers.get('content-type')?.startsWith('text/html') === true &&
  /\/(api\/|openapi\.json$)/.test(new URL(url).pathname)
