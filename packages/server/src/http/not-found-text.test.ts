import { describe, expect, test } from 'vitest'
import { type Missing, namesIn, notFoundText } from './not-found-text.ts'

const pattern = '/p/:projectId/flags/:flagId/envs/:envId/run'

describe('names in an address', () => {
  test.each([
    ['/api/v1/me', '/api/v1/me', []],
    ['/api/v1/projects/:projectId', '/api/v1/projects/web?limit=2', [['projectId', 'web']]],
    ['/p/:projectId', '/p/%E2%9C%93%22', [['projectId', '✓"']]],
    ['/p/:projectId', '/p/%', [['projectId', '%']]],
    [
      pattern,
      '/p/web/flags/a%20b/envs/prod/run',
      [
        ['projectId', 'web'],
        ['flagId', 'a b'],
        ['envId', 'prod'],
      ],
    ],
  ])('%s called as %s has the names %j', (called, address, names) =>
    expect(namesIn(called, address).map(({ param, name }) => [param, name])).toEqual(names),
  )
})

describe('an answer that something was not found', () => {
  const sent = namesIn(pattern, '/p/web/flags/checkout/envs/prod/run')
  const [project, flag, environment] = sent as [Missing['names'][0], Missing['names'][0], Missing['names'][0]]
  const few = { keys: ['live', 'test'], hasMore: false }

  test.each<[string, Missing, string]>([
    ['names the one that is missing', { names: [flag] }, 'Flag "checkout" was not found.'],
    [
      'asks for the key that was meant',
      { names: [environment], meant: 'prod2' },
      'Environment "prod" was not found. Did you mean "prod2"?',
    ],
    [
      'lists what the project has',
      { names: [environment], there: few },
      'Environment "prod" was not found. The project has live, test.',
    ],
    [
      'lists some of many',
      { names: [flag], there: { ...few, hasMore: true } },
      'Flag "checkout" was not found. The project has live, test and more.',
    ],
    [
      'lists the projects of the caller',
      { names: [project], there: few },
      'Project "web" was not found. You can see live, test.',
    ],
    [
      'lists nothing where there is nothing',
      { names: [flag], there: { keys: [], hasMore: false } },
      'Flag "checkout" was not found.',
    ],
    [
      'says that several environments have the rule',
      { names: [{ param: 'ruleId', name: 'beta' }], isAmbiguous: true },
      'Several environments have a rule "beta". Send the number or the id of one of them instead.',
    ],
    [
      'names all that the caller cannot tell apart',
      { names: [flag, environment] },
      'Not found: flag "checkout", environment "prod". Check each of them, and what the credential can see.',
    ],
  ])('%s', (_what, missing, text) => expect(notFoundText({ method: 'POST', pattern }, sent, missing)).toBe(text))

  test.each([
    ['GET', '/api/v1/me', '/api/v1/me', undefined],
    ['GET', '/p/:projectId', '/p/web', undefined],
    ['POST', '/p/:projectId/flags/:flagId/archive', '/p/web/flags/a/archive', undefined],
    ['DELETE', '/p/:projectId/flags/:flagId/schedule', '/p/web/flags/a/schedule', undefined],
    ['GET', '/p/:projectId/web-settings', '/p/web/web-settings', 'Project "web" has no web settings.'],
  ])('names what %s %s does not have if all names exist', (method, pattern, address, text) =>
    expect(notFoundText({ method, pattern }, namesIn(pattern, address), { names: [] })).toBe(text),
  )

  test.each([
    ['variationKey', 'Variation "x" was not found.'],
    ['userId', 'Member "x" was not found.'],
    ['recordId', 'Delivery "x" was not found.'],
    ['sdkKeyId', 'SDK key "x" was not found.'],
    ['groupId', 'Exclusion group "x" was not found.'],
  ])('calls %s as the glossary does', (param, text) => {
    const names = [{ param, name: 'x' }]
    expect(notFoundText({ method: 'GET', pattern: `/:${param}` }, names, { names })).toBe(text)
  })

  test('escapes what controls a terminal or reverses text', () => {
    const names = [{ param: 'flagId', name: 'a\0\x7f\x9b\u202eb' }]
    const text = notFoundText({ method: 'GET', pattern: '/:flagId' }, names, { names })
    expect(text).toBe('Flag "a\\u0000\\u007f\\u009b\\u202eb" was not found.')
  })

  test('cuts a long name', () => {
    const names = namesIn('/p/:projectId', `/p/${'x'.repeat(500)}`)
    expect(notFoundText({ method: 'GET', pattern: '/p/:projectId' }, names, { names })!.length).toBeLessThan(150)
  })
})
