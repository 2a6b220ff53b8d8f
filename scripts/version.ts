import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// npm run version: gives everything the version that the changesets ask for, and moves their texts into CHANGELOG.md.

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(join(root, path), change(read(path)))
const versionOf = (path: string): string => (JSON.parse(read(path)) as { version: string }).version

/** The section of the newest version is below it. */
const marker = '<!-- versions -->'

const before = versionOf('package.json')
execFileSync('changeset', ['version'], { cwd: root, stdio: 'inherit' })
const after = versionOf('packages/server/package.json')
if (after === before) {
  process.stderr.write('There is no changeset, so the version stays. Write one with npx changeset.\n')
  process.exit(1)
}

const date = new Date().toISOString().slice(0, 10)
const text = newest(read('packages/server/CHANGELOG.md'))
edit('CHANGELOG.md', (all) => all.replace(marker, `${marker}\n\n## ${after}, ${date}\n\n${text}`))
// All packages have one version, and so one changelog.
for (const path of globSync('packages/*/CHANGELOG.md', { cwd: root })) rmSync(join(root, path))
edit('package.json', (all) => all.replace(`"version": "${before}"`, `"version": "${after}"`))
edit('deploy/helm/svc/Chart.yaml', (all) => all.replaceAll(`ersion: ${before}\n`, `ersion: ${after}\n`))
edit('packages/sdk/src/version.ts', (all) => all.replace(`'${before}'`, `'${after}'`))
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' })
// Some of them show the version.
execFileSync('npm', ['run', '-s', 'documents'], { cwd: root, stdio: 'inherit' })

/** The section of the newest version, without its heading and without the list of our packages with this version. */
function newest(changelog: string): string {
  const [, part = ''] = changelog.split(/^## .*\n/m)
  const told = part.replace(/^\s*- (?:Updated dependencies.*|@svc\/.*)\n/gm, '')
  return told.replace(/^### .*\n\s*(?=###|$(?![\s\S]))/gm, '').trim()
}
