import { expect, test } from 'vitest'
import { wantedOf } from './file.ts'
import { withoutSecrets } from './secret-variables.ts'
import { hintOf, withSecrets } from './secrets.ts'
import type { State } from './state.ts'

const url = 'https://hooks.slack.com/services/T0/B0/abcdWxYz'
const shown = 'https://hooks.slack.com/…WxYz'
const slack = { name: 'Releases', kind: 'SLACK', events: ['flag.published'] }
const secrets = { url: { env: 'RELEASES_URL' } }

const stateWith = (destinations: Record<string, object> = {}) => ({ objects: { destinations } }) as unknown as State
const inService = (body: object) => ({ releases: { id: '1', etag: '', body } })
const wanting = (entry: object) => wantedOf({ version: 1, destinations: { releases: entry } })
const variables = (values: Record<string, string>) => (name: string) => values[name]
const resolved = (entry: object, state: State, values: Record<string, string> = {}) => {
  const found = withSecrets(wanting(entry), state, variables(values))
  return { body: found.wanted.objects.destinations!.releases!, secrets: found.secrets.releases }
}

test.each([
  [url, shown],
  ['https://hooks.slack.com/short', 'https://hooks.slack.com/…'],
  ['lin_api_0123456789', '…6789'],
  ['short', '…'],
  [{ 'X-Api-Key': 'lin_api_0123456789' }, { 'X-Api-Key': '…6789' }],
])('of %j the service shows %j', (secret, hint) => {
  expect(hintOf(secret)).toEqual(hint)
})

test('a secret comes from its variable, and the plan has the hint that the service would show', () => {
  const { body, secrets: values } = resolved({ ...slack, secrets }, stateWith(), { RELEASES_URL: ` ${url}\n` })
  expect(body).toMatchObject({ config: { url: shown } })
  expect(body).not.toHaveProperty('secrets')
  expect(values).toEqual({ url })
})

test('a new destination needs its secrets, and an old one keeps those whose variable is not set', () => {
  expect(() => resolved({ ...slack, secrets }, stateWith())).toThrow(
    'The destination releases is new and needs its url: set the environment variable RELEASES_URL.',
  )
  const kept = resolved({ ...slack, secrets }, stateWith(inService({ kind: 'SLACK', config: { url: shown } })))
  expect([kept.body.config, kept.secrets]).toEqual([{ url: shown }, {}])
})

test('fields of the config that the file leaves out stay', () => {
  const there = { kind: 'GITHUB', config: { owner: 'acme', repo: 'shop', labels: ['a'], token: '…' } }
  const { body } = resolved({ ...slack, kind: 'GITHUB', config: { repo: 'web' } }, stateWith(inService(there)))
  expect(body.config).toEqual({ owner: 'acme', repo: 'web', labels: ['a'], token: '…' })
})

test('only fields that are secrets of the kind can come from a variable', () => {
  const entry = { ...slack, secrets: { name: { env: 'X' } } }
  expect(() => resolved(entry, stateWith())).toThrow(
    'destinations.releases.secrets.name is not a secret of the kind SLACK.',
  )
})

test('headers are an object of JSON, and the message about any other text does not repeat it', () => {
  const entry = { ...slack, kind: 'TEMPLATE', secrets: { headers: { env: 'H' } } }
  expect(resolved(entry, stateWith(), { H: '{"X-Api-Key":"k"}' }).secrets).toEqual({ headers: { 'X-Api-Key': 'k' } })
  expect(() => resolved(entry, stateWith(), { H: '{secret' })).toThrow(
    'The environment variable H looks like JSON but cannot be parsed.',
  )
})

test('an export names a variable for each secret, and contains no secret', () => {
  expect(withoutSecrets('web-releases', { ...slack, config: { url: shown } })).toEqual({
    ...slack,
    secrets: { url: { env: 'DESTINATION_WEB_RELEASES_URL' } },
  })
  expect(withoutSecrets('bugs', { kind: 'LINEAR', config: { apiKey: '…', teamId: 't' } })).toEqual({
    kind: 'LINEAR',
    config: { teamId: 't' },
    secrets: { apiKey: { env: 'DESTINATION_BUGS_API_KEY' } },
  })
})
