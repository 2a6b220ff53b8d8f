import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newExperiment } from '../../../../../testing/experiments.ts'
import { newFlag, succeed } from '../../../../../testing/flags.ts'
import { newServiceToken } from '../../../../../testing/people.ts'
import { createProject, startTestService, type TestProject } from '../../../../../testing/service.ts'
import { design } from '../../../../../testing/web-experiments.ts'

const service = await startTestService()
let project: TestProject
let one: string

const page = (key: string, path: string) => ({
  ...{ key, name: key, url: null },
  conditions: { attribute: 'page.path', operator: 'equals', value: path },
})

beforeEach(async () => {
  project = await createProject(service, service.people.admin, 'WEB')
  const url = `${project.path}/experiments`
  const { id } = await done('POST', url, {
    name: 'Price in the headline',
    pages: [page('pricing', '/pricing'), page('plans', '/plans')],
    conditions: { attribute: 'device', operator: 'equals', value: 'mobile' },
  })
  one = `${url}/${id}`
  await design(service, one)
})
afterAll(() => service.close())

const done = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => succeed(service, method, path, body)
const mobile = { targetingKey: 'u-1', device: 'mobile' }
const tried = (body: object = {}) =>
  done('POST', `${one}/try`, { url: 'https://shop.example/pricing/?plan=pro#top', context: mobile, ...body })
const shown = async (body?: object) => {
  const { pages, evaluation } = await tried(body)
  return [pages, evaluation.reason]
}

describe('a web experiment that is tried on an address', () => {
  test('explains its draft as if it ran, whatever its status is', async () => {
    const answer = await tried()
    expect(answer).toMatchObject({
      pages: ['pricing'],
      evaluation: { flagId: null, flagKey: 'x1', reason: 'SPLIT', errorCode: null, rules: [{ outcome: 'MATCHED' }] },
    })
    expect(['original', 'variation-1']).toContain(answer.evaluation.variationKey)
    for (const verb of ['launch', 'pause', 'complete', 'archive']) {
      await done('POST', `${one}/${verb}`)
      expect(await tried()).toEqual(answer)
    }
  })

  test.each([
    ['no page holds', { url: 'https://shop.example/' }, [[], 'SPLIT']],
    [
      'the audience has somebody else',
      { context: { targetingKey: 'u-1', device: 'desktop' } },
      [['pricing'], 'DEFAULT'],
    ],
    ['nobody is named', { context: { device: 'mobile' } }, [['pricing'], 'UNIT_MISSING']],
    ['the site sets the path', { context: { ...mobile, 'page.path': '/plans' } }, [['plans'], 'SPLIT']],
  ])('says so where %s', async (_what, body, expected) => {
    expect(await shown(body)).toEqual(expected)
  })

  test('is live as it was published, and nothing before the launch and during a pause', async () => {
    const live = { version: 'LIVE' }
    expect(await shown(live)).toEqual([[], 'ERROR'])
    await done('POST', `${one}/launch`)
    await done('PATCH', one, { pages: [page('home', '/')], conditions: { all: [] } })
    const desktop = { context: { targetingKey: 'u-1' } }
    expect(await shown({ ...live, ...desktop })).toEqual([['pricing'], 'DEFAULT'])
    expect(await shown({ ...desktop, url: 'https://shop.example' })).toEqual([['home'], 'SPLIT'])
    await done('POST', `${one}/pause`)
    const paused = await tried(live)
    expect([paused.pages, paused.evaluation.errorCode]).toEqual([['pricing'], 'FLAG_NOT_FOUND'])
  })

  test('changes nothing, so the scope experiments:read is enough', async () => {
    const before = await done('GET', one)
    const token = await newServiceToken(service, ['experiments:read'])
    const answer = await service.call(token, 'POST', `${one}/try`, { url: 'https://shop.example/pricing' })
    expect(answer.status).toBe(200)
    expect(await done('GET', one)).toEqual(before)
  })

  test.each([
    ['no address', {}, 'url'],
    ['a path alone', { url: '/pricing' }, 'url'],
    ['another scheme', { url: 'ftp://shop.example/pricing' }, 'url'],
    ['a long address', { url: `https://shop.example/${'a'.repeat(2000)}` }, 'url'],
    ['a large context', { url: 'https://shop.example/', context: { a: 'a'.repeat(33_000) } }, 'context'],
    ['an unknown version', { url: 'https://shop.example/', version: 'FINAL' }, 'version'],
    ['an unknown field', { url: 'https://shop.example/', visitor: {} }, 'visitor'],
  ])('is refused with %s', async (_what, body, path) => {
    const answer = await service.call(service.people.admin, 'POST', `${one}/try`, body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, [path]])
  })

  test('is not one of a flag', async () => {
    const flags = await createProject(service)
    const { path } = await newExperiment(service, flags, await newFlag(service, flags, { key: 'tested' }))
    const answer = await service.call(service.people.admin, 'POST', `${path}/try`, { url: 'https://shop.example/' })
    expect(answer.status).toBe(404)
  })
})
