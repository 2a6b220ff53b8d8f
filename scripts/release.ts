import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packRelease } from './release-packages.ts'

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
  const ofServer = ['--omit', 'dev', '--omit', 'optional', '--workspace', '@svc/server', '--package-lock-only']
  const bill = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', ...ofServer], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  writeFileSync(join(to, `svc-${version}.cdx.json`), bill)
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

if (import.meta.main) {
  const to = join(root, 'release')
  release(to)
  process.stdout.write(readFileSync(join(to, 'SHA256SUMS'), 'utf8'))
}
