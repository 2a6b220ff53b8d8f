import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import {
  abTest,
  addRule,
  delivery,
  newFlag,
  nobody,
  stringFlag,
  stringVariations,
  succeed,
  type TestFlag,
} from '../../../../testing/flags.ts'
import { createProject, startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
const project = await createProject(service)
afterAll(() => service.close())

/** The number of audit entries and events of the project. */
async function written() {
  const { rows } = await sql<{ audit: string; events: string }>`
    select (select count(*) from audit_entries where project_id = ${project.id}) as audit,
      (select count(*) from events where project_id = ${project.id}) as events`.execute(service.db)
  return rows[0]
}

interface On {
  flag: TestFlag
  rule: string
  test: string
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Request = (on: On) => [Method, string, unknown?]

const none = { environmentAllowlist: [], ruleAllowlists: [] }
const run: Request = ({ flag }) => ['POST', `${flag.production}/run`]
const pause: Request = ({ flag }) => ['POST', `${flag.production}/pause`]
const archive: Request = ({ flag }) => ['POST', `${flag.path}/archive`]

let count = 0
async function prepared(before: Request[]): Promise<On> {
  count += 1
  const flag = await newFlag(service, project, stringFlag(`flag-${count}`, 'off', 'on'))
  const rule = (await addRule(service, flag.production, delivery('Delivery'))).id
  const on = { flag, rule, test: (await addRule(service, flag.production, abTest('Test'))).id }
  for (const request of before) await succeed(service, ...request(on))
  return on
}

const call = ([method, path, body]: [Method, string, unknown?]) =>
  service.call(service.people.flagsWrite, method, path, body, { 'user-agent': 'audit-test/1' })

describe('nothing is recorded', () => {
  const silent: [string, Request[], Request, number][] = [
    ['a refused body', [], ({ flag }) => ['PATCH', flag.path, { name: '' }], 400],
    ['a key that can no longer change', [run], ({ flag }) => ['PATCH', flag.path, { key: 'x' }], 409],
    [
      'a key that is taken',
      [],
      ({ flag }) => ['POST', `${project.path}/flags`, { ...stringFlag(flag.key, 'a', 'b'), name: 'n' }],
      409,
    ],
    ['a refused archive', [run], archive, 409],
    ['a refused deletion', [run], ({ flag }) => ['DELETE', flag.path], 409],
    ['a refused unarchive', [], ({ flag }) => ['POST', `${flag.path}/unarchive`], 409],
    [
      'a run of an archived flag',
      [archive],
      ({ flag }) => ['PATCH', flag.production, { defaultVariationId: flag.ids.on, enabled: true }],
      409,
    ],
    [
      'a variation in use',
      [],
      ({ flag }) => ['PUT', `${flag.path}/variations`, { variations: stringVariations('on', 'c') }],
      409,
    ],
    [
      'overrides of an unknown rule',
      [],
      ({ flag }) => [
        'PUT',
        `${flag.production}/overrides`,
        { ...none, ruleAllowlists: [{ ruleId: nobody, entries: [] }] },
      ],
      400,
    ],
    [
      'an unconfirmed reassignment',
      [run],
      ({ flag, test }) => ['PATCH', `${flag.production}/rules/${test}`, { salt: 'x' }],
      409,
    ],
    [
      'a partial reorder',
      [],
      ({ flag, test }) => ['PUT', `${flag.production}/rules/reorder`, { ruleIds: [test] }],
      400,
    ],
    [
      'a copy from the same environment',
      [],
      ({ flag }) => ['POST', `${flag.production}/rules/copy`, { sourceEnvId: project.production.id }],
      400,
    ],
    ['a pause of a paused environment', [], pause, 200],
    ['a run of a running environment', [run], run, 200],
    ['an edit that changes nothing', [], ({ flag }) => ['PATCH', flag.path, { name: `Flag ${flag.key}` }], 200],
    [
      'the same variations',
      [],
      ({ flag }) => ['PUT', `${flag.path}/variations`, { variations: stringVariations('off', 'on') }],
      200,
    ],
    ['the same default', [], ({ flag }) => ['PATCH', flag.production, { defaultVariationId: flag.ids.off }], 200],
    ['the same overrides', [], ({ flag }) => ['PUT', `${flag.production}/overrides`, none], 200],
    ['the same rule', [], ({ flag, rule }) => ['PATCH', `${flag.production}/rules/${rule}`, { name: 'Delivery' }], 200],
    [
      'the same order',
      [],
      ({ flag, rule, test }) => ['PUT', `${flag.production}/rules/reorder`, { ruleIds: [rule, test] }],
      200,
    ],
    ['an archive of an archived flag', [archive], archive, 200],
  ]
  test.each(silent)('for %s', async (_what, before, request, status) => {
    const on = await prepared(before)
    const old = await written()
    const answer = await call(request(on))
    expect(answer.status, answer.text).toBe(status)
    expect(await written()).toEqual(old)
  })
})
