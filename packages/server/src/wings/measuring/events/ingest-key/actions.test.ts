import { expect, test } from 'vitest'
import { newIngestSecret, newServiceSecret } from '../../../../platform/ids.ts'
import type { IngestKeyUse } from '../../../model/environments/index.ts'
import { hashOf } from '../../../people/tokens/index.ts'
import { dataFileStore, type EnvironmentKeys } from '../../../serving/datafile/index.ts'
import { ingestKeys } from './actions.ts'

const [known, created, revoked] = [newIngestSecret(), newIngestSecret(), newIngestSecret()]
const keysOf = (version: number, secrets: Record<string, string>): EnvironmentKeys => ({
  ...{ envId: 'env', version, sdkKeys: [] },
  projectType: 'FEATURE_FLAG',
  ingest: {
    requiredFor: 'TRACKED_EVENTS',
    keys: Object.entries(secrets).map(([id, secret]) => ({ id, hash: hashOf(secret).toString('hex') })),
  },
})

/** The memory of a node that has not heard of the last change. */
function behind() {
  const uses: Omit<IngestKeyUse, 'at'>[] = []
  let loads = 0
  const dataFiles = dataFileStore(async () => undefined)
  dataFiles.keep(keysOf(1, { 'known-id': known }))
  const keys = ingestKeys({
    dataFiles,
    usage: { usedIngestKey: (use) => void uses.push(use) },
    async load() {
      loads += 1
      return keysOf(2, { 'known-id': known, 'created-id': created })
    },
  })
  return { keys, uses, loads: () => loads }
}

const from = (authorization?: string) => ({ authorization, ip: '203.0.113.7', userAgent: 'shop/1' })
const covered = { lacksKeyFor: 'NONE' }
const uncovered = { lacksKeyFor: 'TRACKED_EVENTS' }

test.each([
  ['no key', undefined, uncovered, uncovered, 0],
  ['the credential of a proxy', 'Basic c2hvcDpzZWNyZXQ=', uncovered, uncovered, 0],
  ['a known key', `Bearer ${known}`, covered, covered, 0],
  ['a key that another node has just made', `Bearer ${created}`, covered, uncovered, 1],
  ['a revoked key', `Bearer ${revoked}`, undefined, uncovered, 1],
  ['a short key', `Bearer ${known.slice(0, -1)}`, undefined, uncovered, 0],
  ['a long key', `Bearer ${known}a`, undefined, uncovered, 0],
  ['a token of the API', `Bearer ${newServiceSecret()}`, uncovered, uncovered, 0],
])('with %s', async (_what, authorization, admitted, fromMemory, loads) => {
  const node = behind()
  expect(node.keys.admitKnown('env', from(authorization))).toEqual(fromMemory)
  expect(node.loads()).toBe(0)
  expect(await node.keys.admit('env', from(authorization))).toEqual(admitted)
  expect(node.loads()).toBe(loads)
})

test('of many wrong keys at once, one read answers those that came before it, and one those that came during it', async () => {
  const reads: PromiseWithResolvers<void>[] = []
  const dataFiles = dataFileStore(async () => undefined)
  const keys = ingestKeys({
    dataFiles,
    usage: { usedIngestKey: () => undefined },
    async load() {
      const read = Promise.withResolvers<void>()
      const version = reads.push(read)
      await read.promise
      return keysOf(version, version === 1 ? {} : { 'created-id': created })
    },
  })
  const wrong = () => Array.from({ length: 20 }, () => keys.admit('env', from(`Bearer ${newIngestSecret()}`)))
  const before = wrong()
  await expect.poll(() => reads.length).toBe(1)
  // Made by another node after the read began.
  const during = [...wrong(), keys.admit('env', from(`Bearer ${created}`))]
  reads[0]!.resolve()
  expect(await Promise.all(before)).toEqual(before.map(() => undefined))
  await expect.poll(() => reads.length).toBe(2)
  reads[1]!.resolve()
  expect(await Promise.all(during)).toEqual([...before.map(() => undefined), covered])
  expect(reads).toHaveLength(2)
})

test('the use of a key is noted with its sender', async () => {
  const { keys, uses } = behind()
  await keys.admit('env', from(`Bearer ${known}`))
  keys.admitKnown('env', from(`Bearer ${known}`))
  await keys.admit('env', from(`Bearer ${revoked}`))
  const use = { keyId: 'known-id', ip: '203.0.113.7', userAgent: 'shop/1' }
  expect(uses).toEqual([use, use])
})

test('an environment that is gone takes no event without a key', () => {
  expect(behind().keys.admitKnown('another', from())).toEqual({ lacksKeyFor: 'ALL' })
})
