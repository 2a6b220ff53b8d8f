import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = import.meta.dirname
/** Proxies of the machine are not for servers on loopback. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)))

it('passes its own tests, with every vector of conformance/', () => {
  const { status, stdout, stderr } = spawnSync('python3', ['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'error::ResourceWarning' },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/\nOK\n$/) })
  expect(stdout).toMatch(/^[1-9]\d{3} vectors passed$/m)
}, 120_000)

it('tells the service the version of its package', () => {
  const versionIn = (file: string) =>
    /^(?:version|SDK_VERSION) = "(.+)"$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1]
  expect(versionIn('src/svc_sdk/_version.py')).toBe(versionIn('pyproject.toml'))
})
