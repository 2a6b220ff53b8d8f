import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparableError } from '../../../../testing/comparable-error.ts'
import { addRule, delivery, newFlag, nobody, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

let service: TestService
let project: TestProject
let flag: TestFlag
let ruleId: string

beforeAll(async () => {
  service = await startTestService()
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'guarded' })
  ruleId = (await addRule(service, flag.production, delivery('Guarded'))).id
})
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const flags = '/api/v1/projects/PROJECT/flags'
const env = `${flags}/FLAG/envs/ENV`

/** The endpoints of flags, switches and rules: method, path, scope. */
const endpoints: [Method, string, string][] = [
  ['GET', flags, 'flags:read'],
  ['POST', flags, 'flags:write'],
  ['GET', `${flags}/FLAG`, 'flags:read'],
  ['PATCH', `${flags}/FLAG`, 'flags:write'],
  ['DELETE', `${flags}/FLAG`, 'flags:write'],
  ['POST', `${flags}/FLAG/archive`, 'flags:write'],
  ['POST', `${flags}/FLAG/unarchive`, 'flags:write'],
  ['PUT', `${flags}/FLAG/variations`, 'flags:write'],
  ['POST', `${env}/pause`, 'flags:write'],
  ['POST', `${env}/run`, 'flags:write'],
  ['POST', `${env}/rules/RULE/pause`, 'flags:write'],
  ['POST', `${env}/rules/RULE/run`, 'flags:write'],
  ['PATCH', env, 'flags:write'],
  ['PUT', `${env}/overrides`, 'flags:write'],
  ['GET', `${env}/rules`, 'flags:read'],
  ['POST', `${env}/rules`, 'flags:write'],
  ['GET', `${env}/rules/RULE`, 'flags:read'],
  ['PATCH', `${env}/rules/RULE`, 'flags:write'],
  ['DELETE', `${env}/rules/RULE`, 'flags:write'],
  ['POST', `${env}/rules/RULE/duplicate`, 'flags:write'],
  ['POST', `${env}/rules/copy`, 'flags:write'],
  ['PUT', `${env}/rules/reorder`, 'flags:write'],
  ['GET', `${flags}/FLAG/rules/RULE/results`, 'results:read'],
]

type Names = Partial<Record<'PROJECT' | 'FLAG' | 'ENV' | 'RULE', string>>

function call(who: string | null, method: Method, path: string, names: Names = {}) {
  const all = { PROJECT: project.id, FLAG: flag.id, ENV: project.production.id, RULE: ruleId, ...names }
  const url = path.replaceAll(/PROJECT|FLAG|ENV|RULE/g, (name) => all[name as keyof typeof all])
  return service.call(who, method, url, method === 'GET' ? undefined : { nonsense: true })
}

test('the flag and rule that all calls name exist', async () => {
  expect(await succeed(service, 'GET', `${flag.production}/rules/${ruleId}`)).toMatchObject({ name: 'Guarded' })
})

describe.each(endpoints)('%s %s', (method, path, scope) => {
  const holders = (): [string, string][] => [
    ['flags:read', service.people.flagsRead],
    ['flags:write', service.people.flagsWrite],
    ['projects:write', service.people.projectsWrite],
    ['nothing', service.people.noScopes],
  ]

  test(`requires the scope ${scope}`, async () => {
    for (const [held, token] of holders()) {
      const { status, body } = await call(token, method, path)
      if (held === scope) expect(status, held).toBe(method === 'GET' ? 200 : 400)
      else {
        expect(status, held).toBe(403)
        expect(body.error).toMatchObject({ code: 'scope_missing', details: { scope } })
        expect(body.error.message).toContain(scope)
      }
    }
  })

  test('requires a credential', async () => {
    const { status, body } = await call(null, method, path)
    expect(status).toBe(401)
    expect(body.error.code).toBe('unauthorized')
  })

  test('answers 404 for ids that are unknown, malformed or from elsewhere', async () => {
    const elsewhere = await createProject(service)
    const other = await newFlag(service, elsewhere, { key: 'other' })
    const wrong: Names[] = [
      { PROJECT: nobody },
      { PROJECT: 'x' },
      ...(path.includes('FLAG')
        ? [{ FLAG: nobody }, { FLAG: 'x' }, { FLAG: other.id }, { PROJECT: elsewhere.id }]
        : []),
      ...(path.includes('ENV') ? [{ ENV: nobody }, { ENV: 'x' }, { ENV: '1' }, { ENV: elsewhere.production.id }] : []),
      ...(path.includes('RULE') ? [{ RULE: nobody }, { RULE: 'x' }] : []),
    ]
    for (const names of wrong) {
      const { status, body } = await call(service.people.admin, method, path, names)
      expect(status, JSON.stringify(names)).toBe(404)
      expect(body.error.code).toBe('not_found')
    }
  })

  test('gives a different organization the same 404 as for an unknown id', async () => {
    const real = await call(service.people.stranger, method, path)
    const unknown = await call(service.people.stranger, method, path, { PROJECT: nobody })
    expect(real.status).toBe(404)
    expect([unknown.status, comparableError(unknown, { projectId: nobody })]).toEqual([
      404,
      comparableError(real, { projectId: project.id }),
    ])
  })
})
