import { expect, it } from 'vitest'
import { type Looking, missingPart } from './missing.ts'

const flag = '/api/v1/projects/shop/flags/checkout'

const looking = (canRead: Looking['canRead'], keys: string[] = [], hasMore = false): Looking => ({
  canRead,
  keysAt: async (path) => ({ keys: path === '/api/v1/projects/shop/environments' ? keys : [], hasMore }),
})

it.each([
  ['the last part, without reading it', flag, ['/api/v1/projects/shop'], 'Flag "checkout" was not found.'],
  ['the first part that cannot be read', `${flag}/envs/prod/run`, [], 'Project "shop" was not found.'],
  ['a part in the middle', `${flag}/envs/prod/run`, ['/api/v1/projects/shop'], 'Flag "checkout" was not found.'],
  ['a key with special characters', '/svc/api/v1/projects/a%20b', [], 'Project "a b" was not found.'],
  ['nothing if everything can be read', '/api/v1/projects/shop/flags', ['/api/v1/projects/shop'], undefined],
  ['nothing for an unknown kind of part', '/api/v1/projects/shop/moons/1', ['/api/v1/projects/shop'], undefined],
  ['nothing for a verb', `${flag}/envs/e/rules/copy`, ['/api/v1/projects/shop', flag, `${flag}/envs/e`], undefined],
  [
    'a destination',
    '/api/v1/projects/shop/destinations/x',
    ['/api/v1/projects/shop'],
    'Destination "x" was not found.',
  ],
  ['nothing outside of projects', '/api/v1/members/1', [], undefined],
])('the message names %s', async (_what, path, readable, message) => {
  expect(
    await missingPart(
      path,
      looking(async (each) => readable.includes(each)),
    ),
  ).toBe(message)
})

it('the message names nothing if the token cannot read a part', async () => {
  expect(
    await missingPart(
      `${flag}/envs/prod`,
      looking(() => Promise.reject(new Error('403'))),
    ),
  ).toBeUndefined()
})

it.each([
  ['the one that was probably meant', ['production', 'staging'], false, ' Did you mean "production"?'],
  ['the others, if they are few', ['live', 'staging'], false, ' The token sees live, staging.'],
  ['the only one', ['live'], false, ' The token sees live.'],
  ['nothing if there are many', ['live'], true, ''],
  ['nothing if there is none', [], false, ''],
])('the message says what there is: %s', async (_what, keys, hasMore, there) => {
  const asked = missingPart(
    '/api/v1/projects/shop/environments/prod',
    looking(async () => true, keys, hasMore),
  )
  expect(await asked).toBe(`Environment "prod" was not found.${there}`)
})

it('the message says nothing of a list that the token cannot read', async () => {
  const forbidden = { canRead: async () => true, keysAt: () => Promise.reject(new Error('403')) }
  expect(await missingPart('/api/v1/projects/shop/environments/prod', forbidden)).toBe(
    'Environment "prod" was not found.',
  )
})
