import { createRequire } from 'node:module'

/** Node's HTTP. An `import` reads every name of the module, and one of them loads all of `fetch`: a tenth of a start. */
export const { createServer, request } = createRequire(import.meta.url)('node:http') as typeof import('node:http')
