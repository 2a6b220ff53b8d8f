// Prints the size of the browser scripts and of parts for bundlers, and fails if one exceeds its limit.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { minify } from 'terser'

interface Part {
  name: string
  limitBytes: number
  aimBytes?: number
  /** What a program imports of a module. Other exports of the module are left out. */
  only?: string
  /** The bundler of a program minifies it. Here it is minified to be measured. */
  isModule?: true
}

const parts: Part[] = [
  { name: 'svc.min.js', limitBytes: 7_280, aimBytes: 6_400 },
  { name: 'svc-live.min.js', limitBytes: 8_560, aimBytes: 7_640 },
  { name: 'svc-rare.js', limitBytes: 2_520, aimBytes: 2_500 },
  { name: 'svc-commerce.js', limitBytes: 900, aimBytes: 200 },
  { name: 'openfeature.js', only: 'SvcServerProvider', isModule: true, limitBytes: 1_536, aimBytes: 1_500 },
  { name: 'openfeature.js', only: 'SvcWebProvider', isModule: true, limitBytes: 1_536, aimBytes: 1_500 },
  { name: 'react.js', isModule: true, limitBytes: 1_228, aimBytes: 1_200 },
  { name: 'typed.js', isModule: true, limitBytes: 200, aimBytes: 200 },
]

for (const { name, limitBytes, aimBytes, only, isModule } of parts) {
  const written = readFileSync(new URL(`dist/${name}`, import.meta.url), 'utf8')
  const code = isModule ? await minified(written, only) : written
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`${only ?? name}: ${bytes} bytes min+gzip (limit ${limitBytes}, aim ${aimBytes})`)
  if (bytes > limitBytes) process.exitCode = 1
}

/** The module, or what one of its exports needs. What it imports is not counted. */
async function minified(code: string, only?: string): Promise<string> {
  const wanted = only ? code.replace(/^export \{.*\};$/m, `export { ${only} };`) : code
  const { code: small = '' } = await minify(wanted, { module: true, compress: { passes: 4 } })
  return small
}
