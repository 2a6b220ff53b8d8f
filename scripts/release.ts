import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packRelease } from './release-packages.ts'
import { locked, runningPackages } from './running-packages.ts'

// npm run release: everything that a release publishes, in the folder `release`. It publishes nothing itself.

const root = resolve(import.meta.dirname, '..')

/** Packs the packages and the chart, and writes the bill of materials and the checksums of all of them. */
export function release(to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  packRelease(to)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  // Names, order and times are fixed, so that the same files give the same archive.
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const chart = ['--create', '--gzip', ...same, '--file', join(to, `svc-chart-${version}.tgz`)]
  execFileSync('tar', [...chart, '--directory', join(root, 'deploy/helm'), 'svc'])
  writeFileSync(join(to, `svc-${version}.cdx.json`), billOfMaterials())
  const sums = readdirSync(to)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(to, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(to, 'SHA256SUMS'), sums.join(''))
}

interface Bill {
  components: { 'bom-ref': string; name: string; version: string; group?: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * What runs in a server, as CycloneDX. npm leaves out a package that any of our own packages has for development only,
 * so it lists everything, and the lock file decides.
 */
function billOfMaterials(): string {
  const ofServer = ['--sbom-format', 'cyclonedx', '--workspace', '@svc/server', '--package-lock-only']
  const text = execFileSync('npm', ['sbom', ...ofServer], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const bill = JSON.parse(text) as Bill
  const running = runningPackages(locked(root), 'packages/server')
  const isInside = (ref: string) => running.has(ref) || ref.startsWith('@svc/')
  const components = bill.components.filter((each) => isInside(each['bom-ref']))
  const listed = new Set(components.map((each) => each['bom-ref']))
  const missing = [...running].filter((ref) => !listed.has(ref))
  if (missing.length > 0) throw new Error(`npm's list lacks ${missing.join(', ')}`)
  const dependencies = bill.dependencies
    .filter(({ ref }) => isInside(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInside) }))
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`
}

if (import.meta.main) {
  const to = join(root, 'release')
  release(to)
  process.stdout.write(readFileSync(join(to, 'SHA256SUMS'), 'utf8'))
}
