import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pageHeaders } from './headers.ts'

const folder = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
const page = 'index.html'

/** The dashboard: its files by name, and its one page wherever a browser goes that is no other route's. */
export async function serveDashboard(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${folder}/${page}`)) throw new Error('the dashboard is not built: run npm run build')
  await app.register(files, {
    root: folder,
    // Each file is a route of its own: what is not there is unknown like any other address.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    logLevel: 'warn',
    setHeaders: (reply, path) => {
      reply
        .header('cache-control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
        .headers(pageHeaders)
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isNavigation(request)) reply.sendFile(page)
    else done()
  })
}

const isHashed = (path: string): boolean => path.startsWith(`${folder}/assets/`)

/** Somebody opens an address in a browser. What programs call, found or not, answers as the API does. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')
}
