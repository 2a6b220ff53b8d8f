// Prints the size of the engine, and fails if it exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const limitBytes = 10_000

const bytes = gzipSync(readFileSync(new URL('dist/engine.iife.js', import.meta.url)), { level: 9 }).length
console.log(`engine: ${bytes} bytes min+gzip (limit ${limitBytes})`)
if (bytes > limitBytes) process.exitCode = 1
