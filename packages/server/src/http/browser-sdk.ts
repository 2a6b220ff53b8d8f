import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const scriptUrl = new URL('../../../sdk/dist/svc.min.js', import.meta.url)
const maxAgeSeconds = 300

/** The browser SDK as one ES module, so that a page can follow its flags without a bundler. */
export async function serveBrowserSdk(app: FastifyInstance): Promise<void> {
  const script = await readFile(scriptUrl).catch(() => {
    throw new Error('the browser SDK is not built: run npm run build')
  })
  app.get('/sdk/v1/svc.js', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    return reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .type('text/javascript; charset=utf-8')
      .send(script)
  })
}
