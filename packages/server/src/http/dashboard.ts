import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pageHeaders } from './headers.ts'

const folder = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
const page = 'index.html'

/** The dashboard: its files by name, and its page at every address that no other route serves to browsers. */
export async function serveDashboard(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${folder}/${page}`)) throw new Error('the dashboard is not built: run npm run build')
  await app.register(files, {
    root: folder,
    // Each file has its own route, so a missing file is an unknown address like any other.
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

/** Whether a person opens an address in a browser. Programs get the API's answers, also for unknown addresses. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')
}
