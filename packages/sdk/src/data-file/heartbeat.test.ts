import { expect, it } from 'vitest'
import { datafileOf } from '../../test/datafile.ts'
import { manualPlatform } from '../../test/platform.ts'
import { answerStatus, answerWith, startService } from '../../test/service.ts'
import { post } from '../requests/post.ts'
import { evaluatedFlags } from './heartbeat.ts'

const sent = (baseUrl: string, heartbeat: object) =>
  [`${baseUrl}/api/sdk/heartbeat`, JSON.stringify(heartbeat), true, new AbortController().signal] as const
const beat = { sdkKey: 'sdk_1', sdkVersion: '1.2.3', instanceId: 'i-1', revision: 7, evaluatedFlags: ['a'] }

it.each([
  ['node', 'application/json'],
  ['browser', 'text/plain;charset=UTF-8'],
] as const)('a heartbeat is posted from %s as %s', async (sdkType, contentType) => {
  const service = await startService(answerWith(datafileOf(1)))
  const heartbeat = { ...beat, sdkType }
  await post(fetch, ...sent(service.baseUrl, heartbeat), manualPlatform({ sdkType }).platform)
  await service.close()
  expect(service.heartbeats).toMatchObject([{ headers: { 'content-type': contentType }, body: heartbeat }])
})

it('reports evaluated flags once an hour, up to 200 at a time, and none before there are any', async () => {
  const { platform, advance } = manualPlatform()
  const { next } = evaluatedFlags(platform)
  const keys = Array.from({ length: 250 }, (_, index) => `flag-${index}`)
  expect(next(() => [])).toEqual([])
  expect([...next(() => [...keys]), ...next(() => ['later'])]).toEqual(keys)
  expect(next(() => ['later'])).toEqual([])
  advance(3_600_000)
  expect(next(() => ['later'])).toEqual(['later'])
})

it('reports the flags of a failed heartbeat again', () => {
  const { next, again } = evaluatedFlags(manualPlatform().platform)
  const keys = Array.from({ length: 250 }, (_, index) => `flag-${index}`)
  again(next(() => [...keys]))
  expect([...next(() => []), ...next(() => [])]).toEqual(keys)
})

it('a heartbeat that the service refuses throws', async () => {
  const service = await startService(answerWith(datafileOf(1)))
  service.heartbeatAnswer = answerStatus(503)
  const heartbeat = { ...beat, sdkType: 'node' as const }
  const answer = post(fetch, ...sent(service.baseUrl, heartbeat), manualPlatform().platform)
  await expect(answer).rejects.toThrow('HTTP 503')
  await service.close()
})
