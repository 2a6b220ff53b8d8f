import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is reading hundreds of modules: Node keeps what it makes of them, in a folder that belongs to
// whoever installed the program. Where that can't be written, every start takes as long as the first.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/svc', import.meta.url)))
await import('./run.ts')
