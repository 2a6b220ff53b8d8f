// Prints the size of the browser scripts and fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const scripts = [
  { name: 'svc.min.js', limitBytes: 7_655, aimBytes: 6_400 },
  { name: 'svc-live.min.js', limitBytes: 8_712, aimBytes: 6_400 },
  { name: 'svc-rare.js', limitBytes: 1_930, aimBytes: 1_930 },
]

for (const { name, limitBytes, aimBytes } of scripts) {
  const bytes = gzipSync(readFileSync(new URL(`dist/${name}`, import.meta.url)), { level: 9 }).length
  console.log(`${name}: ${bytes} bytes min+gzip (limit ${limitBytes}, aim ${aimBytes})`)
  if (bytes > limitBytes) process.exitCode = 1
}
