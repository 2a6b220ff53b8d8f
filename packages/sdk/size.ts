// Prints what the client costs a page, and fails when that grew unnoticed. The aim is 3,072 bytes.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const limitBytes = 6_000

const bytes = gzipSync(readFileSync(new URL('dist/svc.min.js', import.meta.url)), { level: 9 }).length
console.log(`svc.min.js: ${bytes} bytes min+gzip (limit ${limitBytes})`)
process.exitCode = bytes > limitBytes ? 1 : 0
