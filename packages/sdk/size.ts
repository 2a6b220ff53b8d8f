// Prints the size of the browser scripts and fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const scripts = [
  { name: 'svc.min.js', limitBytes: 6_400, aimBytes: 6_400 },
  { name: 'svc-live.min.js', limitBytes: 7_640, aimBytes: 7_640 },
  { name: 'svc-rare.js', limitBytes: 2_460, aimBytes: 2_460 },
]

for (const { name, limitBytes, aimBytes } of scripts) {
  const bytes = gzipSync(readFileSync(new URL(`dist/${name}`, import.meta.url)), { level: 9 }).length
  console.log(`${name}: ${bytes} bytes min+gzip (limit ${limitBytes}, aim ${aimBytes})`)
  if (bytes > limitBytes) process.exitCode = 1
}
