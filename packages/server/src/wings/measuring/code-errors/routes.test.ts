import { bucket } from '@svc/core'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import {
  type CodedExperiment,
  codedExperiment,
  failingCode,
  ruleNameOf,
  sendErrors,
} from '../../../../testing/code-errors.ts'
import { experimentAfter } from '../../../../testing/experiments.ts'
import { nobody, succeed } from '../../../../testing/flags.ts'
import { auditOf, newPerson, newServiceToken } from '../../../../testing/people.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { deliver, newWebhook, type TestWebhook, webhookTest } from '../../../../testing/webhooks.ts'
import { codeVersion } from '../../model/web/index.ts'
import { saveErrors } from './actions.ts'
import { fingerprintOf, hashOfUnit } from './error.ts'
import { codeErrorSweeps } from './index.ts'

const on = webhookTest()
let hook: TestWebhook
let experiment: CodedExperiment
let ruleId: string

const told = ['experiment.code_error_detected', 'experiment.paused']
beforeAll(async () => {
  experiment = await codedExperiment(on.service)
  ruleId = await ruleNameOf(on.service, experiment)
  hook = await newWebhook({ service: on.service, project: experiment.project }, { events: told })
})

const send = (errors: readonly object[], of = experiment, rule = ruleId) =>
  sendErrors(
    on.service,
    of,
    errors.map((error) => ({ ruleId: rule, ...error })),
  )
const listed = (of = experiment) => succeed(on.service, 'GET', `${of.path}/errors`)
const written = async () => {
  await on.service.codeErrors.flush()
  return listed()
}
async function received(from: TestWebhook = hook) {
  await deliver(on)
  return on.receiver.at(from.url).map(({ body }) => JSON.parse(body))
}
const statusOf = async ({ path }: CodedExperiment) => (await succeed(on.service, 'GET', path)).status

describe('an error of the code', () => {
  test.each<[string, () => object, string | undefined]>([
    ['a visitor of another variation', () => ({ unit: experiment.visitors('original', 1)[0] }), 'other_variation'],
    ['the variation without code', () => ({ variationKey: 'original' }), 'other_variation'],
    ['a code that is not served any more', () => ({ codeVersion: '00000000' }), 'other_variation'],
    ['an unknown rule', () => ({ ruleId: '99' }), 'unknown_rule'],
    ['an unknown variation', () => ({ variationKey: 'nobody' }), 'unknown_variation'],
    ['no rule', () => ({ ruleId: undefined }), 'validation_failed'],
    ['no message', () => ({ message: 7 }), 'validation_failed'],
    ['a line that no code has', () => ({ line: 0 }), 'validation_failed'],
    ['half a line', () => ({ line: 1.5 }), 'validation_failed'],
    ['a long version', () => ({ codeVersion: 'a'.repeat(9) }), 'validation_failed'],
    ['no visitor', () => ({ unit: '' }), 'validation_failed'],
  ])('does not count with %s', async (_what, error, code) => {
    const { status, body } = await send([{ unit: experiment.visitors('price', 1)[0], ...error() }])
    expect([status, body.accepted, body.rejected.map((each: { code: string }) => each.code)]).toEqual([202, 0, [code]])
    expect(await written()).toEqual([])
  })

  test('counts by another attribute, and in a sticky test also for a variation that the visitor can have kept', async () => {
    const sticky = await codedExperiment(on.service, { sticky: true, bucketBy: 'userId', trafficAllocation: 5000 })
    const rule = await ruleNameOf(on.service, sticky)
    const { salt } = await succeed(on.service, 'GET', sticky.path)
    const [inside, outside] = [true, false].map((isInside) =>
      sticky.visitors('original', 50).find((unit) => bucket(`${salt}.traffic`, unit) < 5000 === isInside),
    )
    const { body } = await send([{ unit: inside }, { unit: outside }, { unit: inside, codeVersion: '0' }], sticky, rule)
    const refused = body.rejected.map(({ index, code }: { index: number; code: string }) => [index, code])
    expect([body.accepted, refused]).toEqual([
      1,
      [
        [1, 'other_variation'],
        [2, 'other_variation'],
      ],
    ])
  })

  test('counts once although its event is sent again, also after the first was written', async () => {
    const [unit] = experiment.visitors('price', 1)
    const error = { unit, id: crypto.randomUUID(), message: 'sent again' }
    const other = { ...error, id: 'page-7.1' }
    const counted = async () => {
      await send([error, error, other])
      return (await written()).find(({ message }: { message: string }) => message === 'sent again')
    }
    expect(await counted()).toMatchObject({ count: 2, visitors: 1 })
    expect(await counted()).toMatchObject({ count: 2, visitors: 1 })
    await send([{ ...error, id: crypto.randomUUID() }])
    expect(await counted()).toMatchObject({ count: 3, visitors: 1 })
    await sql`delete from code_errors where message = 'sent again'`.execute(on.service.db)
  })

  test('of a bot is taken and does not count', async () => {
    const [unit] = experiment.visitors('price', 1)
    const { body } = await send([{ unit, context: { userAgent: 'Googlebot/2.1' } }])
    expect([body.accepted, await written()]).toEqual([1, []])
  })

  test('is listed with the line of the code, the same one once, and not as an event', async () => {
    const [one, other] = experiment.visitors('price', 2)
    const { body } = await send([
      { unit: one, codeVersion: codeVersion(failingCode) },
      { unit: one },
      { unit: other, message: 'Order 17\u0000 has no price' },
      { unit: other, message: 'Order 4711 has no price' },
      { unit: other, line: 99, message: 'x'.repeat(1000) },
    ])
    expect(body).toEqual({ accepted: 5, duplicates: 0, rejected: [] })
    const at = on.clock.now().toISOString()
    const common = {
      ...{ id: expect.any(String), variationKey: 'price', codeVersion: codeVersion(failingCode), share: null },
      ...{ firstSeenAt: at, lastSeenAt: at },
    }
    const listedNow = await written()
    expect(listedNow).toHaveLength(3)
    for (const error of [
      { message: 'TypeError: null has no price', line: 2, excerpt: 'null.price', count: 2, visitors: 1 },
      { message: 'Order 17 has no price', line: 2, excerpt: 'null.price', count: 2, visitors: 1 },
      { message: 'x'.repeat(200), line: null, excerpt: null, count: 1, visitors: 1 },
    ])
      expect.soft(listedNow).toContainEqual({ ...common, ...error })
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from tracked_events`.execute(
      on.service.db,
    )
    expect(rows[0]!.count).toBe(0)
  })
})

describe('an error that three visitors have met in a day', () => {
  test('is reported once, with its place and since when it exists', async () => {
    await send([{ unit: experiment.visitors('price', 2)[0], message: 'reported' }])
    on.clock.move(minuteMs)
    const firstSeenAt = (await written()).find(({ message }: { message: string }) => message === 'reported').firstSeenAt
    expect(await received()).toEqual([])
    const send3 = async (message: string, count: number) => {
      await send(experiment.visitors('price', count).map((unit) => ({ unit, message })))
      await written()
    }
    await send3('reported', 3)
    const [body, ...others] = await received()
    expect(others).toEqual([])
    const { id, shortId, path } = experiment
    const { variations, name } = await succeed(on.service, 'GET', path)
    expect(body).toMatchObject({
      event: 'experiment.code_error_detected',
      experiment: { id, shortId, name, status: 'RUNNING', previousStatus: 'RUNNING' },
      environment: { id: experiment.project.production.id },
      triggeredBy: null,
    })
    expect(body.flag).toBeUndefined()
    expect(body.alarm).toEqual({
      ...{ check: 'CODE_ERROR', variation: { id: variations[1].id, key: 'price' }, message: 'reported', line: 2 },
      ...{ visitors: 3, firstSeenAt, asOf: on.clock.now().toISOString(), paused: false },
      revision: { revision: expect.any(Number), publishedAt: expect.any(String) },
    })
    expect((await auditOf(on.service, id)).at(-1)).toMatchObject({
      action: 'experiment.report_code_error',
      after: { check: 'CODE_ERROR', message: 'reported', paused: false },
    })
    await send3('reported', 6)
    await on.service.codeErrors.judge()
    expect(await received()).toHaveLength(1)
    expect(await statusOf(experiment)).toBe('RUNNING')
  })

  test('needs attention until visitors get other code, or the experiment no longer runs', async () => {
    const failing = await codedExperiment(on.service, {}, experiment.project)
    const rule = await ruleNameOf(on.service, failing)
    const ada = await newPerson(on.service, { role: 'EDITOR' })
    const problems = async () => {
      const { body } = await ada.inSession('GET', '/api/dashboard/attention')
      return body.data.problems.filter(({ object }: { object: { id: string } }) => object.id === failing.id)
    }
    const fail = async (count: number, message: string) => {
      await send(
        failing.visitors('price', count).map((unit) => ({ unit, message })),
        failing,
        rule,
      )
      await on.service.codeErrors.flush()
    }
    await fail(2, 'few')
    expect(await problems()).toEqual([])
    await fail(3, 'some')
    const since = on.clock.now().toISOString()
    on.clock.move(minuteMs)
    await fail(4, 'many')
    expect(await problems()).toMatchObject([
      {
        ...{ kind: 'CODE_FAILING', since, object: { kind: 'experiment' }, flag: null },
        ...{ project: { id: failing.project.id }, details: { variation: 'price', reason: 'many' } },
      },
    ])
    await succeed(on.service, 'POST', `${failing.path}/pause`)
    expect(await problems()).toEqual([])
    await succeed(on.service, 'POST', `${failing.path}/resume`)
    expect(await problems()).toHaveLength(1)
    await succeed(on.service, 'PUT', `${failing.path}/variations/price/code`, { js: 'document.title = 1' })
    expect(await problems()).toHaveLength(1)
    await succeed(on.service, 'POST', `${failing.path}/publish`)
    expect(await problems()).toEqual([])
  })

  test('is not one that as many have met in more days', async () => {
    const before = (await received()).length
    for (const unit of experiment.visitors('price', 3)) {
      await send([{ unit, message: 'seldom' }])
      await written()
      on.clock.move(dayMs / 2)
    }
    expect(await received()).toHaveLength(before)
  })

  test('is reported by the next look if the node that has written it is killed, by one of two that look at once', async () => {
    const before = (await received()).length
    const found = {
      ...{
        envId: experiment.project.production.id,
        ruleId: (await succeed(on.service, 'GET', experiment.path)).ruleId,
      },
      ...{ variationId: nobody, variationKey: 'price', codeVersion: '12345678', line: null, message: 'killed' },
    }
    const visitors = new Set(experiment.visitors('price', 3).map(hashOfUnit))
    const note = {
      ...found,
      excerpt: null,
      fingerprint: fingerprintOf({ ...found, excerpt: null }),
      times: 3,
      events: new Set([1, 2, 3].map(() => crypto.randomUUID())),
      visitors,
    }
    await saveErrors(on.service.db, [note], on.clock.now())
    expect(await received()).toHaveLength(before)
    await Promise.all([on.service.codeErrors.judge(), on.service.codeErrors.judge()])
    expect((await received()).slice(before).map(({ alarm }) => alarm.message)).toEqual(['killed'])
  })
})

describe('an experiment with autoPause.codeErrors', () => {
  test('pauses at 20 visitors and 2 % of those in the last snapshot, once for an error', async () => {
    const pausing = await codedExperiment(on.service, { autoPause: { codeErrors: true } }, experiment.project)
    expect((await succeed(on.service, 'GET', pausing.path)).autoPause).toEqual({
      ...{ srm: false, traffic: false, guardrailMetric: false, codeErrors: true },
    })
    const rule = await ruleNameOf(on.service, pausing)
    const visitors = pausing.visitors('price', 40)
    const fail = async (units: readonly string[]) => {
      await send(
        units.map((unit) => ({ unit, message: 'pausing' })),
        pausing,
        rule,
      )
      await on.service.codeErrors.flush()
    }
    const before = (await received()).length
    await fail(visitors.slice(0, 19))
    await sendErrors(
      on.service,
      pausing,
      visitors.map((unit) => ({ type: 'exposure', unit, ruleId: rule, variationKey: 'price', reason: 'SPLIT' })),
    )
    on.clock.move(hourMs)
    await refreshed(on.service, `${pausing.path}/results`)
    await on.service.codeErrors.judge()
    expect(await statusOf(pausing)).toBe('RUNNING')
    await fail(visitors.slice(19, 20))
    expect(await statusOf(pausing)).toBe('PAUSED')
    expect((await received()).slice(before)).toMatchObject([
      { event: 'experiment.code_error_detected', alarm: { visitors: 19, paused: false } },
      { event: 'experiment.paused', experiment: { id: pausing.id }, triggeredBy: null },
    ])
    expect((await auditOf(on.service, pausing.id)).at(-1)).toMatchObject({
      action: 'experiment.pause',
      after: { because: ['CODE_ERROR'] },
    })
    const [error] = await listed(pausing)
    expect(error).toMatchObject({ visitors: 20, share: 0.5 })
    const reader = await newServiceToken(on.service, ['experiments:read'])
    const { body } = await on.service.call(reader, 'GET', `${pausing.path}/errors`)
    expect(body.data).toMatchObject([{ visitors: 20, share: null }])
    await succeed(on.service, 'POST', `${pausing.path}/resume`)
    await fail(visitors)
    await on.service.codeErrors.judge()
    expect(await statusOf(pausing)).toBe('RUNNING')
  })

  test('pauses neither again for what was met before the pause, nor for a code that was replaced', async () => {
    for (const isMended of [false, true]) {
      const pausing = await codedExperiment(on.service, { autoPause: { codeErrors: true } }, experiment.project)
      const rule = await ruleNameOf(on.service, pausing)
      const units = pausing.visitors('price', 20)
      await send(
        ['first', 'second'].flatMap((message) => units.map((unit) => ({ unit, message }))),
        pausing,
        rule,
      )
      await on.service.codeErrors.flush()
      if (isMended) {
        await succeed(on.service, 'PUT', `${pausing.path}/variations/price/code`, { js: 'document.title = 1' })
        await succeed(on.service, 'POST', `${pausing.path}/publish`)
      }
      const exposures = units.map((unit) => ({
        ...{ type: 'exposure', unit, ruleId: rule },
        ...{ variationKey: 'price', reason: 'SPLIT' },
      }))
      await sendErrors(on.service, pausing, exposures)
      on.clock.move(hourMs)
      await refreshed(on.service, `${pausing.path}/results`)
      await on.service.codeErrors.judge()
      expect(await statusOf(pausing)).toBe(isMended ? 'RUNNING' : 'PAUSED')
      if (isMended) continue
      await succeed(on.service, 'POST', `${pausing.path}/resume`)
      await on.service.codeErrors.judge()
      expect(await statusOf(pausing)).toBe('RUNNING')
    }
  })

  test('keeps the setting when a call names others, and an experiment of a flag cannot have it', async () => {
    const { path } = await codedExperiment(on.service, { autoPause: { codeErrors: true } }, experiment.project)
    await succeed(on.service, 'PATCH', path, { autoPause: { srm: true } })
    expect((await succeed(on.service, 'GET', path)).autoPause).toMatchObject({ srm: true, codeErrors: true })
    const flagged = await experimentAfter(on.service, on.project)
    const { status, body } = await on.service.call(on.service.people.admin, 'PATCH', flagged.path, {
      autoPause: { codeErrors: true },
    })
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['autoPause', 'codeErrors']])
    expect((await succeed(on.service, 'GET', flagged.path)).autoPause.codeErrors).toBe(false)
    expect((await on.service.call(on.service.people.admin, 'GET', `${flagged.path}/errors`)).status).toBe(404)
  })
})

describe('what is kept of errors', () => {
  const count = async (table: 'code_errors' | 'code_error_visitors', of: CodedExperiment) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from code_errors error
        ${table === 'code_errors' ? sql`` : sql`join code_error_visitors visitor on visitor.error_id = error.id`}
      where error.experiment_id = ${of.id}`.execute(on.service.db)
    return rows[0]!.count
  }

  test('has an end: 200 errors of an experiment, and 500 that wait on a node', async () => {
    const flooded = await codedExperiment(on.service, {}, experiment.project)
    const rule = await ruleNameOf(on.service, flooded)
    const [unit] = flooded.visitors('price', 1)
    const letters = (each: number) => String.fromCharCode(97 + (each % 26), 97 + Math.floor(each / 26))
    for (const from of [0, 300])
      await send(
        Array.from({ length: 300 }, (_, each) => ({ unit, message: `flood ${letters(from + each)}` })),
        flooded,
        rule,
      )
    await on.service.codeErrors.flush()
    expect(await count('code_errors', flooded)).toBe(200)
    await send([{ unit, message: 'flood aa' }], flooded, rule)
    await on.service.codeErrors.flush()
    const [first] = await listed(flooded)
    expect(first).toMatchObject({ message: 'flood aa', count: 2, visitors: 1 })
  })

  test('forgets an erased visitor, old visitors and old errors, and goes with its experiment', async () => {
    const kept = await codedExperiment(on.service, {}, experiment.project)
    const rule = await ruleNameOf(on.service, kept)
    const units = kept.visitors('price', 2)
    await send(
      units.map((unit) => ({ unit })),
      kept,
      rule,
    )
    await on.service.codeErrors.flush()
    await succeed(on.service, 'POST', `${kept.project.path}/erasures`, { units: units.slice(0, 1) })
    await on.service.jobs.run()
    expect(await count('code_error_visitors', kept)).toBe(1)
    expect(await listed(kept)).toMatchObject([{ visitors: 2, count: 2 }])
    const sweep = async (before: Date) => {
      for (const each of codeErrorSweeps) await each.sweep(on.service.db, before, 1000)
      return [await count('code_errors', kept), await count('code_error_visitors', kept)]
    }
    expect(await sweep(new Date(on.clock.now().getTime() - 1))).toEqual([1, 1])
    await send(
      units.slice(0, 1).map((unit) => ({ unit })),
      kept,
      rule,
    )
    await on.service.codeErrors.flush()
    on.clock.move(1)
    expect(await sweep(on.clock.now())).toEqual([0, 0])
    await send(
      units.map((unit) => ({ unit })),
      kept,
      rule,
    )
    await on.service.codeErrors.flush()
    for (const verb of ['pause', 'archive']) await succeed(on.service, 'POST', `${kept.path}/${verb}`)
    await succeed(on.service, 'DELETE', kept.path)
    expect(await count('code_errors', kept)).toBe(0)
  })
})
