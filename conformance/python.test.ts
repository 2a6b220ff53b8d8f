import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

// `npm test` makes sure that Python is installed.
const isInstalled = spawnSync('python3', ['--version']).status === 0

describe.runIf(isInstalled)('the example in Python', () => {
  it('passes every vector except those for webhook receivers', () => {
    const { status, stdout, stderr } = run('run.py')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^[1-9]\d{3} passed, 0 failed\n$/)
  })

  it('refuses a file with fewer cases than it declares', () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const document = JSON.parse(readFileSync(join(import.meta.dirname, 'versions.json'), 'utf8'))
    const file = join(folder, 'versions.json')
    writeFileSync(file, JSON.stringify({ ...document, cases: document.cases.slice(1) }))
    expect(run('run.py', file)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(file) })
  })

  it('generates the same files as those in the repository', () => {
    expect(run('generate.py', '--check')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })
})

function run(script: string, ...args: string[]) {
  return spawnSync('python3', [join(import.meta.dirname, 'python', script), ...args], { encoding: 'utf8' })
}
