#!/usr/bin/env node
// Plain JavaScript that any Node can run: it says what TypeScript sources would only fail on.
import '../../../scripts/require-node.js'

// Whatever this process makes is for its own account alone.
process.umask(0o077)
await import('../src/compile-cache.ts')
const { run } = await import('../src/command.ts')
await run(process.argv.slice(2))
