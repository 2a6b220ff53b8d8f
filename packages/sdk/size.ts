// Prints the size of the browser scripts and of parts for bundlers, and fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { minify } from 'terser'

interface Part {
  name: string
  limitBytes: number
  aimBytes?: number
  /** What a program imports of a module, which its bundler minifies. Other exports of the module are left out. */
  only?: string
}

const parts: Part[] = [
  { name: 'svc.min.js', limitBytes: 6_400, aimBytes: 6_400 },
  { name: 'svc-live.min.js', limitBytes: 7_640, aimBytes: 7_640 },
  { name: 'svc-rare.js', limitBytes: 2_460, aimBytes: 2_460 },
  { name: 'openfeature.js', only: 'SvcServerProvider', limitBytes: 1_536, aimBytes: 1_500 },
  { name: 'openfeature.js', only: 'SvcWebProvider', limitBytes: 1_536, aimBytes: 1_500 },
  { name: 'typed.js', only: 'typedFlags', limitBytes: 200, aimBytes: 200 },
]

for (const { name, limitBytes, aimBytes, only } of parts) {
  const written = readFileSync(new URL(`dist/${name}`, import.meta.url), 'utf8')
  const code = only ? await minified(written, only) : written
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`${only ?? name}: ${bytes} bytes min+gzip (limit ${limitBytes}, aim ${aimBytes})`)
  if (bytes > limitBytes) process.exitCode = 1
}

/** The module with one export, without what only the others need. What it imports is not counted. */
async function minified(code: string, only: string): Promise<string> {
  const { code: small = '' } = await minify(code.replace(/^export \{.*\};$/m, `export { ${only} };`), {
    module: true,
    compress: { passes: 4 },
  })
  return small
}
