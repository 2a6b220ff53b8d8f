import { registerHooks } from 'node:module'

const isWholeName = /^\.{1,2}\/.*\.(?:ts|js|mjs)$/

/**
 * Vitest runs this in each worker before all else. A relative import with the whole name of a file needs no search for
 * it, and Vitest's main process need not hear of it. Otherwise, both take a third of what a worker imports in.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions } = context
    // Only `require` also finds folders.
    if (!parentURL?.startsWith('file:') || !isWholeName.test(specifier) || conditions.includes('require'))
      return nextResolve(specifier, context)
    const { href } = new URL(specifier, parentURL)
    return { url: href, shortCircuit: true, ...(href.endsWith('.ts') && { format: 'module-typescript' }) }
  },
})
