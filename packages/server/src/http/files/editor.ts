import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, refuse } from '../../catalogue/refusals.ts'
import { encodingFor } from '../../negotiation.ts'
import { inTurn, TooBusy } from '../../turns.ts'
import { Refused } from '../errors.ts'
import { framedPageHeaders, pageHeaders } from '../headers.ts'
import { hidden } from '../hidden.ts'

const folder = fileURLToPath(new URL('../../../../dashboard/dist/editor', import.meta.url))
const page = 'index.html'
const endings = { br: '.br', gzip: '.gz', identity: '' }
const mediaTypes = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
])

/** Nobody needs an account to ask for the page, and the rest of the service needs the database meanwhile. */
const lookUps = { atOnce: 2, waitingAtMost: 1_000, patienceMs: 5_000 }

/**
 * The page of the visual editor, which a site has in a frame, with its files.
 *
 * @param originOf the origin whose pages can have the frame of a session; undefined if there is no such open session for
 *   the script of the page
 */
export async function serveEditor(
  app: FastifyInstance,
  originOf: (which: { id: string; sdkKey: string }) => Promise<string | undefined>,
): Promise<void> {
  const files = await read()
  if (!files.has(page)) throw new Error('the visual editor is not built: run npm run build')
  const lookUp = inTurn(lookUps)
  const busy = (error: unknown): never => {
    throw error instanceof TooBusy
      ? new Refused(refuse('unavailable', 'Too many requests are waiting. Try again.'))
      : error
  }
  const send = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const mediaType = mediaTypes.get(name.split('.').at(-1)!)
    if (!files.has(name) || mediaType === undefined) throw new Refused(notFound('Address'))
    const wanted = encodingFor(request.headers['accept-encoding'])
    // A file that would not become smaller has no compressed form.
    const encoding = files.has(name + endings[wanted]) ? wanted : 'identity'
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .header('vary', 'Accept-Encoding')
      .type(mediaType)
      .send(files.get(name + endings[encoding]))
  }
  app.get<{ Params: { editorId: string } }>('/web/editor/:editorId', hidden, async (request, reply) => {
    const { sdkKey } = request.query as { sdkKey?: unknown }
    const { editorId: id } = request.params
    const origin = typeof sdkKey === 'string' ? await lookUp(() => originOf({ id, sdkKey })).catch(busy) : undefined
    if (origin === undefined) throw new Refused(notFound('Editor session'))
    reply.headers({ ...framedPageHeaders(origin), 'cache-control': 'no-store' })
    return send(request, reply, page)
  })
  app.get<{ Params: { name: string } }>('/web/editor/assets/:name', hidden, async (request, reply) => {
    reply.headers({ ...pageHeaders, 'cache-control': 'public, max-age=31536000, immutable' })
    return send(request, reply, `assets/${request.params.name}`)
  })
}

/** All files by name, in each form. They are few and small. */
async function read(): Promise<Map<string, Buffer>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter((each) => each.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
        const path = `${parentPath}/${name}`
        return [path.slice(folder.length + 1), await readFile(path)]
      }),
    ),
  )
}
