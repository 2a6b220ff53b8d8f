// Prints the size of each engine, and fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const limitBytes = { engine: 10_000, 'engine-rare': 12_400 }

for (const [name, limit] of Object.entries(limitBytes)) {
  const bytes = gzipSync(readFileSync(new URL(`dist/${name}.iife.js`, import.meta.url)), { level: 9 }).length
  console.log(`${name}: ${bytes} bytes min+gzip (limit ${limit})`)
  if (bytes > limit) process.exitCode = 1
}
