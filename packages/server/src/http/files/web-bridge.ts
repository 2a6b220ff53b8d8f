import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { isKnown } from '../../revalidation.ts'
import { hidden } from '../hidden.ts'

const maxAgeSeconds = 300

/** What the script of web experiments loads for previews and the visual editor. */
export async function serveWebBridge(app: FastifyInstance): Promise<void> {
  const script = await readFile(new URL('../../../../web/dist/bridge.js', import.meta.url)).catch(() => {
    throw new Error('the bridge of web experiments is not built: run npm run build')
  })
  const etag = `"sha256-${hash('sha256', script)}"`
  app.get('/sdk/v1/web/bridge.js', hidden, async (request, reply) => {
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('text/javascript; charset=utf-8').send(script)
  })
}
