import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { baseUrlOf, packageFile } from './snippets.ts'

it('the package file is the one that npm packs', () => {
  const sdk = JSON.parse(readFileSync(new URL('../../../../../sdk/package.json', import.meta.url), 'utf8'))
  expect(packageFile).toBe(`svc-sdk-${sdk.version}.tgz`)
})

it.each([
  ['https://svc.acme.example', 'https://svc.acme.example'],
  ['https://acme.example/svc', 'https://acme.example/svc'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
])('the address of a data file below %s leads to it', (base, expected) => {
  expect(baseUrlOf(`${base}/api/sdk/v1/datafile/sdk_a1.json`)).toBe(expected)
})
