import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { baseUrlOf, packageFile, wheelFile } from './snippets.ts'

it('the package file is the one that npm packs', () => {
  const sdk = JSON.parse(readFileSync(new URL('../../../../../sdk/package.json', import.meta.url), 'utf8'))
  expect(packageFile).toBe(`svc-sdk-${sdk.version}.tgz`)
})

it('the wheel is the one that pip writes', () => {
  const project = readFileSync(new URL('../../../../../../clients/python/pyproject.toml', import.meta.url), 'utf8')
  expect(wheelFile).toBe(`svc_sdk-${/^version = "(.+)"$/m.exec(project)?.[1]}-py3-none-any.whl`)
})

it.each([
  ['https://svc.acme.example', 'https://svc.acme.example'],
  ['https://acme.example/svc', 'https://acme.example/svc'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
])('the address of a data file below %s leads to it', (base, expected) => {
  expect(baseUrlOf(`${base}/api/sdk/v1/datafile/sdk_a1.json`)).toBe(expected)
})
