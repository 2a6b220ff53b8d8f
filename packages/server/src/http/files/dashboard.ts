import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../catalogue/refusals.ts'
import { Refused } from '../errors.ts'
import { pageHeaders } from '../headers.ts'
import { hidden } from '../hidden.ts'
import { isNavigation } from './navigation.ts'

const folder = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url))
const page = 'index.html'

/** The dashboard: its files by name, and its page at every address that no other route serves to browsers. */
export async function serveDashboard(app: FastifyInstance): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  if (!names.includes(page)) throw new Error('the dashboard is not built: run npm run build')
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cachingOf(path)).headers(pageHeaders)
    },
  })
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) => reply.sendFile(page)
  app.get('/', hidden, sendPage)
  for (const name of names)
    if (isFile.test(name)) app.get(`/${name}`, hidden, (_request, reply) => reply.sendFile(name))
  // A route for each of hundreds of files would take a tenth of a start.
  const assets = new Set(await readdir(`${folder}/assets`))
  app.get<{ Params: { name: string } }>('/assets/:name', hidden, (request, reply) => {
    const { name } = request.params
    if (assets.has(name) && isFile.test(name)) return reply.sendFile(`assets/${name}`)
    if (isNavigation(request)) return sendPage(request, reply)
    throw new Refused(notFound('Address'))
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isNavigation(request)) sendPage(request, reply)
    else done()
  })
}

/** Leaves out the compressed forms of files, which @fastify/static sends in their place, and the folder of assets. */
const isFile = /\.(?:css|html|js|svg)$/

/** The logo is in every page, and its name never changes. What has a hash in its name never changes at all. */
function cachingOf(path: string): string {
  if (path.startsWith(`${folder}/assets/`)) return 'public, max-age=31536000, immutable'
  return path.endsWith('.svg') ? 'public, max-age=86400' : 'no-cache'
}
