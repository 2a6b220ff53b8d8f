import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { hidden } from '../hidden.ts'

/**
 * Files by address. The second also streams, and keeps the last good data file. Both load the third if they need it. Shops
 * load the last one beside one of the first two.
 */
const scripts = {
  'svc.js': 'svc.min.js',
  'svc-live.js': 'svc-live.min.js',
  'svc-rare.js': 'svc-rare.js',
  'svc-commerce.js': 'svc-commerce.js',
}
const maxAgeSeconds = 300

/** The browser SDK as one ES module, so that a page can use flags without a bundler. */
export async function serveBrowserSdk(app: FastifyInstance): Promise<void> {
  for (const [name, file] of Object.entries(scripts)) {
    const script = await readFile(new URL(`../../../../sdk/dist/${file}`, import.meta.url)).catch(() => {
      throw new Error('the browser SDK is not built: run npm run build')
    })
    app.get(`/sdk/v1/${name}`, hidden, async (_request, reply) => {
      return reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', `public, max-age=${maxAgeSeconds}`)
        .type('text/javascript; charset=utf-8')
        .send(script)
    })
  }
}
