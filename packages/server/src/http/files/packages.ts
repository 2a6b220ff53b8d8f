import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../catalogue/refusals.ts'
import { isKnown } from '../../revalidation.ts'
import { Refused } from '../errors.ts'
import { hidden } from '../hidden.ts'

const built = fileURLToPath(new URL('../../../dist/packages', import.meta.url))
const names = ['svc-sdk.tgz', 'svc-cli.tgz']

/**
 * The SDK and the command line under `/packages`, as npm installs them without a registry. They stay in memory, so
 * that a node serves those of its own version also after a later build.
 *
 * @param folder where scripts/packages.ts has put them
 */
export async function servePackages(app: FastifyInstance, folder = built): Promise<void> {
  for (const name of names) {
    // The service can run without them.
    const file = await readFile(join(folder, name)).catch(() => undefined)
    if (!file) app.log.warn(`${name} is not built: run npm run build`)
    const etag = file && `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`
    app.get(`/packages/${name}`, hidden, async (request, reply) => {
      if (!file || !etag)
        throw new Refused(
          refuse('not_found', `${name} is not built on this node. The operator can run npm run build and restart it.`),
        )
      // The address stays the same in the next version, so caches have to ask.
      reply.headers({ etag, 'cache-control': 'public, no-cache', 'access-control-allow-origin': '*' })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('application/gzip').send(file)
    })
  }
}
