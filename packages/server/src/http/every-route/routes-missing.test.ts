import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, nobody, succeed } from '../../../testing/flags.ts'
import { isFull } from '../../../testing/full.ts'
import { newPerson, newServiceToken } from '../../../testing/people.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import { createProject, type TestService } from '../../../testing/service.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

let service: TestService
/** Calls as an owner, as one who sees only the shop, as tokens with few scopes, and as another organization. */
const people: Record<'owner' | 'confined' | 'flags' | 'results' | 'stranger', string> = {} as never

beforeAll(async () => {
  service = (await startWebhookTest()).service
  const named = await service.call(service.people.admin, 'POST', '/api/v1/projects', { name: 'Shop' })
  const shop = await createProject(service)
  expect(named.body.data.key).toBe('shop')
  Object.assign(people, {
    owner: service.people.admin,
    confined: (await newPerson(service, { projectIds: [named.body.data.id] })).token,
    flags: service.people.flagsRead,
    results: await newServiceToken(service, ['results:read']),
    stranger: service.people.stranger,
  })
  const project = { ...shop, id: named.body.data.id, path: '/api/v1/projects/shop' }
  const checkout = await newFlag(service, project, { key: 'checkout' })
  const search = await newFlag(service, project, { key: 'search' })
  const rule = await addRule(service, `${search.path}/envs/production`, abTest('test'))
  const adopting = { flagId: search.id, ruleId: rule.id, name: 'Search' }
  await succeed(service, 'POST', `${project.path}/experiments`, adopting)
  await addRule(service, `${checkout.path}/envs/production`, delivery('Beta', { key: 'beta' }))
  for (const environment of ['development', 'production'])
    await addRule(service, `${checkout.path}/envs/${environment}`, delivery('Both', { key: 'both' }))
})
afterAll(() => service.close())

test('every route names the first name of its address that does not exist, and no other', async () => {
  const ids = { ...(await oneOfEach(service)), revision: '1' }
  const { body } = await service.call(null, 'GET', '/openapi.json')
  const operations = Object.entries(body.paths as Record<string, object>)
    .filter(([path]) => path.startsWith('/api/v1/projects/{projectId}'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase() as Method, path] as const))
  expect(operations.length).toBeGreaterThan(80)
  for (const [place, [method, path]] of operations.entries()) {
    const forms = ['nothing', nobody]
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    for (const [first, name] of names.entries())
      for (const unknown of isFull ? forms : [forms[(place + first) % forms.length]!]) {
        const address = path.replace(/\{(\w+)\}/g, (_all, each: string) =>
          names.indexOf(each) < first
            ? idsOn<Record<string, string>>(path, ids)[each]!
            : `${unknown.slice(0, -1)}${names.indexOf(each)}`,
        )
        const { status, body: answer } = await service.call(service.people.admin, method, address)
        expect([status, answer.error.message], `${method} ${path}: ${name}`).toEqual([
          404,
          expect.stringMatching(
            new RegExp(`^[A-Z][A-Za-z ]+ "${unknown.slice(0, -1)}${first}" was not found\\.( (You|The) [^"]*)?$`),
          ),
        ])
      }
  }
})

describe('an answer that something was not found', () => {
  const rules = '/flags/checkout/envs/production/rules'
  const ofAFlag =
    'This experiment tests a flag. Only the variations of web experiments have changes, code and a hand-off.'

  test.each<[keyof typeof people, string, string]>([
    ['owner', 'shop/environments/prodution', 'Environment "prodution" was not found. Did you mean "production"?'],
    ['owner', 'shop/environments/prod', 'Environment "prod" was not found. Did you mean "production"?'],
    ['owner', 'shop/environments/moon', 'Environment "moon" was not found. The project has development, production.'],
    ['owner', 'shop/flags/chekout/envs/moon/rules', 'Flag "chekout" was not found. Did you mean "checkout"?'],
    [
      'owner',
      `shop/flags/checkout/envs/moon/rules/beta`,
      'Environment "moon" was not found. The project has development, production.',
    ],
    ['owner', `shop${rules}/betta`, 'Rule "betta" was not found. Did you mean "beta"?'],
    ['owner', `shop${rules}/${nobody}`, `Rule "${nobody}" was not found.`],
    ['owner', 'shop/flags/Pay%20later%00', 'Flag "Pay later\\u0000" was not found. The project has checkout, search.'],
    ['owner', 'shop/metrics/paid', 'Metric "paid" was not found.'],
    ['owner', 'shop/experiments/7', 'Experiment "7" was not found.'],
    ['owner', 'shop/environments/production/revisions/99', 'Revision "99" was not found.'],
    ['owner', 'shop/flags/checkout/envs/production/schedule', 'Environment "production" has no schedule.'],
    ['owner', `shop${rules}/beta/schedule`, 'Rule "beta" has no schedule.'],
    [
      'owner',
      'shop/flags/checkout/rules/both/results',
      'Several environments have a rule "both". Send the number or the id of one of them instead.',
    ],
    ['owner', 'shop/flags/checkout/rules/bett/results', 'Rule "bett" was not found. Did you mean "beta"?'],
    ['owner', 'shop/experiments/1/variations/on/changes', ofAFlag],
    ['owner', 'shop/experiments/1/variations/on/code', ofAFlag],
    ['owner', 'shop/web-settings', 'Project "shop" has no web settings.'],
    ['confined', 'sho', 'Project "sho" was not found. Did you mean "shop"?'],
    ['confined', 'test-project', 'Project "test-project" was not found. You can see shop.'],
    ['confined', 'test-project/flags/nothing', 'Project "test-project" was not found. You can see shop.'],
    ['confined', 'nothing-here', 'Project "nothing-here" was not found. You can see shop.'],
    ['stranger', 'shop/flags/checkout', 'Project "shop" was not found. You can see elsewhere.'],
    ['flags', 'sho/flags/checkout', 'Project "sho" was not found.'],
    ['flags', 'shop/flags/chekout', 'Flag "chekout" was not found. Did you mean "checkout"?'],
    ['flags', `shop/flags/checkout/envs/moon/rules`, 'Environment "moon" was not found.'],
    [
      'results',
      'shop/flags/chekout/rules/beta/results',
      'Not found: flag "chekout", rule "beta". Check each of them, and what the credential can see.',
    ],
    [
      'results',
      'shop/flags/checkout/rules/betta/results',
      'Not found: flag "checkout", rule "betta". Check each of them, and what the credential can see.',
    ],
  ])('tells %s who asks for %s: %s', async (who, address, text) => {
    const { status, body } = await service.call(people[who], 'GET', `/api/v1/projects/${address}`)
    expect([status, body.error.code, body.error.message]).toEqual([404, 'not_found', text])
  })

  test('is the same for a request with an idempotency key', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await service.call(people.owner, 'POST', '/api/v1/projects/shop/flags/chekout/archive', {}, key)
    expect(body.error.message).toBe('Flag "chekout" was not found. Did you mean "checkout"?')
  })

  test.each([
    ['POST', 'environments/production/revisions/99/restore', 'Revision "99" was not found.'],
    ['DELETE', 'flags/checkout/envs/production/schedule', 'There is no open schedule to cancel.'],
  ] as const)('tells who calls %s %s: %s', async (method, path, text) => {
    for (const headers of [{}, ...(method === 'POST' ? [{ 'idempotency-key': crypto.randomUUID() }] : [])]) {
      const { status, body } = await service.call(
        people.owner,
        method,
        `/api/v1/projects/shop/${path}`,
        undefined,
        headers,
      )
      expect([status, body.error.message]).toEqual([404, text])
    }
  })

  test('lists at most eight keys, those that are most like the name first', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'night-shift-one'])
      await succeed(service, 'POST', '/api/v1/projects/shop/audiences', { name: key, key, conditions: { all: [] } })
    const { body } = await service.call(people.owner, 'GET', '/api/v1/projects/shop/audiences/nothing-like-it')
    expect(body.error.message).toBe(
      'Audience "nothing-like-it" was not found. The project has a, b, c, d, e, f, g, night-shift-one and more.',
    )
  })
})
