import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const folder = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
const page = 'index.html'

/**
 * Scripts, styles and calls from this origin alone, and nothing inline: the build writes every style into a stylesheet
 * (docs/decisions/0017). Strings never become markup or scripts either: Trusted Types without any policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

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
        .headers(headers)
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
