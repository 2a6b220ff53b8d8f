import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../catalogue/refusals.ts'
import { Refused } from '../errors.ts'
import { pageHeaders } from '../headers.ts'
import { hidden } from '../hidden.ts'

const folder = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))
const isAsset = /\.(?:css|js|json|svg|png|webp)$/
/** Other spellings of a page's address: as a source file, as an HTML file, as a folder. */
const otherSpelling = /(?:\.md|\.html|\/)$/

/**
 * The guides and the API reference under `/docs`, built by packages/docs. Register it after the dashboard, which
 * provides `sendFile`.
 */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  // Browsers ask for one on every page; there is none.
  app.get('/favicon.ico', hidden, (_request, reply) =>
    reply.code(204).header('cache-control', 'public, max-age=86400').send(),
  )
  // The service can run without the guides.
  const files = new Set(await readdir(folder, { recursive: true }).catch(() => []))
  if (!files.has('404.html')) return app.log.warn('the guides are not built: run npm run build')
  const notFoundPage = await readFile(`${folder}404.html`)
  // A build of an earlier version has none.
  const movedPages = await readFile(`${folder}moved.json`, 'utf8').catch(() => '{}')
  const moved = new Map(Object.entries<string>(JSON.parse(movedPages)))
  for (const name of ['index.html', '404.html']) files.delete(name)

  app.get('/docs', hidden, (_request, reply) => reply.sendFile('index.html', folder))
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, (request, reply) => {
    const name = request.params['*']
    if (files.has(`${name}.html`)) return reply.sendFile(`${name}.html`, folder)
    if (isAsset.test(name) && files.has(name)) return reply.sendFile(name, folder)
    const page = name.replace(otherSpelling, '')
    if (page === '') return reply.redirect('/docs', 301)
    if (page !== name && files.has(`${page}.html`)) return reply.redirect(`/docs/${page}`, 301)
    const place = moved.get(page)
    if (place !== undefined) return reply.redirect(`/docs/${place}`, 301)
    if (!(request.headers.accept ?? '').includes('text/html')) throw new Refused(notFound('Page'))
    return reply
      .code(404)
      .headers({ ...pageHeaders, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(notFoundPage)
  })
}
