import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { baseUrlOf, connectSnippets, wheelFile } from './snippets.ts'

it('npm installs the SDK that the service serves', () => {
  const baseUrl = 'https://acme.example/svc'
  const installs = connectSnippets({ baseUrl, sdkKey: 'sdk_a1', flagKey: 'hello' }).flatMap(
    ({ install }) => install ?? [],
  )
  const address = 'npm install https://acme.example/svc/packages/svc-sdk.tgz'
  expect(installs.filter((install) => install.startsWith('npm'))).toEqual([
    address,
    address,
    address,
    `${address} @openfeature/server-sdk`,
  ])
})

it('lines of programs fit into the page', () => {
  const longest = { baseUrl: 'https://svc.acme.example', sdkKey: `sdk_${'x'.repeat(28)}`, flagKey: 'one-page-checkout' }
  const programs = connectSnippets(longest).filter(({ language }) => language !== 'curl')
  const lines = programs.flatMap(({ language, code }) => code.split('\n').map((line) => `${language}: ${line}`))
  expect(lines.filter((line) => line.length > 110)).toEqual([])
  expect(programs.length).toBeGreaterThan(5)
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
