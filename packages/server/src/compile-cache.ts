import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiling hundreds of modules takes half of a start. Node caches the result in a folder that belongs to the user who
// installed the program. If this folder is not writable, every start takes as long as the first.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/svc', import.meta.url)))
