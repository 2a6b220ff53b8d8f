import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
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
})

it('keeps the rules and the format of Ruff, as pyproject.toml has them', () => {
  const read = 'import json, tomllib; print(json.dumps(tomllib.load(open("pyproject.toml", "rb"))["tool"]["ruff"]))'
  const { stdout } = spawnSync('python3', ['-c', read], { cwd: folder, encoding: 'utf8' })
  const ruff = new Workspace(JSON.parse(stdout), PositionEncoding.Utf16)
  const files = globSync('{src,tests,frameworks}/**/*.py', { cwd: folder })
  expect(files.length).toBeGreaterThan(30)
  const faults = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const found = (ruff.check(text) as Diagnostic[]).map(
      ({ code, message, start_location: { row } }) => `${file}:${row} ${code} ${message}`,
    )
    return ruff.format(text) === text ? found : [...found, `${file} is not formatted`]
  })
  expect(faults).toEqual([])
})

it('has types that mypy finds to hold', () => {
  const cache = join(folder, '../../node_modules/.cache/mypy')
  const { status, stdout } = spawnSync('mypy', ['--cache-dir', cache], { cwd: folder, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('no issues found') })
})

it('tells the service the version of its package', () => {
  const versionIn = (file: string) =>
    /^(?:version|SDK_VERSION) = "(.+)"$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1]
  expect(versionIn('src/svc_sdk/_version.py')).toBe(versionIn('pyproject.toml'))
})
