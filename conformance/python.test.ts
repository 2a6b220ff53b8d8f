import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

describe('the example in Python', () => {
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
  const ran = spawnSync('python3', [join(import.meta.dirname, 'python', script), ...args], { encoding: 'utf8' })
  // Without Python 3 the tests fail. `npm test` installs it where it can.
  if (ran.error) throw ran.error
  return ran
}
