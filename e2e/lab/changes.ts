import { randomUUID } from 'node:crypto'
import { abTest } from '../../packages/server/testing/flags.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { type Hook, newFlag, newHook, projectPath, recordsOf, settled, theRecord } from './api.ts'
import { hostOf, startCustomers } from './customers.ts'
import type { Dice } from './dice.ts'
import { breaches, isSigned } from './invariants.ts'
import { forbiddenAddresses, publicAddress } from './lab.ts'
import { type Fault, runEach } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: crashes at chosen points, hostile resolvers, and changes in the middle of attempts.

const commits = 3
const twins = 50
const hookLimit = 100
const hooksBefore = 95
const racers = 20
const failuresInRow = 4

const customers = await startCustomers({
  'late.example.test': ['silence'],
  'rebind.example.test': [[publicAddress], ['127.0.0.1']],
  'mixed.example.test': [[publicAddress], [publicAddress, '10.0.0.1']],
  'alias.example.test': [[publicAddress], { cname: 'private.example.test' }],
  'private.example.test': [['169.254.169.254']],
  'failing.example.test': [[publicAddress], 'failure'],
})
const site = await newSite()
let node = await site.start()
const project = await projectPath(node.api)
let flags = 0

const nextFlag = () => {
  flags += 1
  return newFlag(node.api, project, `flag-${flags}`)
}

const after = (hooks: Parameters<typeof breaches>[0]['hooks'], acknowledged: string[], crashed = false) =>
  breaches({ customers, hooks, acknowledged, now: new Date(), failures: node.api.failures(), crashed })

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

async function killAtPoints(dice: Dice): Promise<Fault> {
  // Nothing could be sent before, because the name had no address.
  customers.dns.names['late.example.test'] = [[publicAddress]]
  const hook = await newHook(node.api, project, 'late.example.test', ['flag.created'])
  customers.dns.names['late.example.test'] = ['silence']
  const acknowledged: string[] = []
  for (let commit = 0; commit <= dice.below(commits); commit += 1) acknowledged.push((await nextFlag()).id)
  await node.kill()
  const sentBefore = customers.at(hook.host).length
  customers.dns.names['late.example.test'] = [[publicAddress]]
  // The receiver is answering when the node is killed.
  const release = Promise.withResolvers<number>()
  customers.answer(hook.host, () => release.promise)
  node = await site.start()
  await customers.until('the requests', () => customers.at(hook.host).length === acknowledged.length)
  await node.kill()
  release.resolve(200)
  node = await site.start()
  await customers.until('the requests again', () => customers.at(hook.host).length === 2 * acknowledged.length)
  await theRecord(node.api, hook, settled)
  const records = await recordsOf(node.api, hook)
  await node.api.call('PATCH', hook.path, { enabled: false })
  const sent = customers.at(hook.host).length
  return {
    violations: [
      ...after([{ hook, records }], acknowledged, true),
      ...unless(sentBefore === 0, `${sentBefore} were sent before the first crash`),
      ...unless(sent === 2 * acknowledged.length, `${sent} sent of ${acknowledged.length}`),
    ],
    numbers: { events: acknowledged.length, sent },
  }
}

async function rebind(): Promise<Fault> {
  const names = ['rebind.example.test', 'mixed.example.test', 'alias.example.test', 'failing.example.test']
  const hooks: Hook[] = []
  for (const name of names) hooks.push(await newHook(node.api, project, name, ['flag.created']))
  const { status } = await node.api.send('POST', `${project}/webhooks`, {
    name: 'Private',
    url: 'https://private.example.test/in',
    events: ['flag.created'],
  })
  const { id } = await nextFlag()
  const found = []
  for (const hook of hooks) {
    await theRecord(node.api, hook, ({ attempts, nextRetryAt }) => attempts >= 1 && nextRetryAt !== null)
    found.push({ hook, records: await recordsOf(node.api, hook) })
    await node.api.call('DELETE', hook.path)
  }
  const reached = names.reduce((sum, name) => sum + customers.at(name).length, 0)
  return {
    violations: [
      ...after(found, [id]),
      ...unless(status === 400, `a private name was saved: ${status}`),
      ...unless(reached === 0, `${reached} requests arrived`),
    ],
    numbers: { names: names.length, forbiddenAddresses: forbiddenAddresses.length },
  }
}

async function failAndRecover(): Promise<Fault> {
  const hook = await newHook(node.api, project, hostOf(3), ['flag.created'])
  const plan = [...Array(failuresInRow).fill(410), 204, ...Array(failuresInRow).fill(410)]
  for (const status of plan) {
    customers.answer(hook.host, () => status)
    const { id } = await nextFlag()
    await theRecord(node.api, hook, (record) => record.sourceEntityId === id && settled(record))
  }
  const { enabled, consecutiveFailures } = await node.api.call('GET', hook.path)
  const records = await recordsOf(node.api, hook)
  const found = after([{ hook, records }], [])
  await nextFlag()
  await theRecord(node.api, hook, (record) => !records.some(({ id }) => id === record.id) && settled(record))
  const { enabled: enabledAfter, disableReason } = await node.api.call('GET', hook.path)
  return {
    violations: [
      ...found,
      ...unless(enabled && consecutiveFailures === failuresInRow, `enabled ${enabled}, counter ${consecutiveFailures}`),
      ...unless(!enabledAfter && disableReason, 'one more did not disable it'),
    ],
    numbers: { consecutiveFailures },
  }
}

/** Makes each change while an attempt has been received and not answered. */
async function changeUnderWay(): Promise<Fault> {
  const release = Promise.withResolvers<number>()
  const started = 10
  const hooks: Hook[] = []
  for (let index = 0; index < 4; index += 1) {
    const host = hostOf(started + index)
    customers.answer(host, () => release.promise)
    hooks.push(await newHook(node.api, project, host, ['flag.created']))
  }
  const [moved, disabled, deleted, rotated] = hooks as [Hook, Hook, Hook, Hook]
  const { id } = await nextFlag()
  await customers.until('the attempts', () => hooks.every(({ host }) => customers.at(host).length === 1))
  const elsewhere = hostOf(started + hooks.length)
  await node.api.call('PATCH', moved.path, { url: `https://${elsewhere}/in` })
  await node.api.call('PATCH', disabled.path, { enabled: false })
  await node.api.call('DELETE', deleted.path)
  const { secret } = await node.api.call('POST', `${rotated.path}/secret`)
  release.resolve(200)
  const kept = [moved, disabled, rotated]
  const found = []
  for (const hook of kept) {
    await theRecord(node.api, hook, settled)
    found.push({ hook, records: await recordsOf(node.api, hook) })
  }
  const wrong = after(found, [id])
  const { id: next } = await nextFlag()
  await customers.until('the next', () => customers.hasHeard(elsewhere, next) && customers.hasHeard(rotated.host, next))
  await theRecord(node.api, rotated, (record) => record.sourceEntityId === next && settled(record))
  const [newest] = await recordsOf(node.api, rotated)
  const signed = customers.at(rotated.host).filter((arrival) => arrival.flagId === next && isSigned(arrival, secret))
  const gone = await node.api.send('GET', `${deleted.path}/deliveries`)
  for (const hook of kept) await node.api.call('DELETE', hook.path)
  return {
    violations: [
      ...wrong,
      ...unless(gone.status === 404, `the deleted one answers ${gone.status}`),
      ...unless(!customers.hasHeard(disabled.host, next), 'the disabled one got the next event'),
      ...unless(!customers.hasHeard(moved.host, next), 'the old address got the next event'),
      ...unless(signed.length === 1 && newest?.status === 'DELIVERED', 'the next was not signed with the new secret'),
    ],
    numbers: { changes: hooks.length },
  }
}

async function repeatKey(dice: Dice): Promise<Fault> {
  const key = { 'idempotency-key': randomUUID() }
  const name = `Twins ${key['idempotency-key']}`
  const body = { name, url: `https://${hostOf(20)}/in`, events: ['flag.created'] }
  const create = () => node.api.send('POST', `${project}/webhooks`, body, key, 0).catch(() => undefined)
  let answers = 0
  const killAt = dice.below(3)
  let killed: Promise<void> | undefined
  const count = () => {
    answers += 1
    if (answers > killAt) killed ??= node.kill()
  }
  const first = await Promise.all(Array.from({ length: twins }, () => create().finally(count)))
  await killed
  node = await site.start()
  const replays = await Promise.all(Array.from({ length: twins }, create))
  const created = [...first, ...replays].filter((reply) => reply?.status === 201)
  const ids = new Set(created.map((reply) => reply!.body.data.id))
  const secrets = new Set(created.map((reply) => reply!.body.data.secret).filter((secret) => secret !== null))
  const { body: list } = await node.api.send('GET', `${project}/webhooks?limit=100`)
  const stored = list.data.filter((webhook: { name: string }) => webhook.name === name)
  for (const { id } of stored) await node.api.call('DELETE', `${project}/webhooks/${id}`)
  return {
    violations: [
      ...unless(stored.length === 1 && ids.size === 1, `${stored.length} webhooks, ${ids.size} ids`),
      ...unless(secrets.size <= 1, `${secrets.size} secrets`),
      ...unless(created.length > 0, 'no call got an answer'),
    ],
    numbers: { answeredBeforeTheKill: first.filter(Boolean).length, replayed: replays.length, secrets: secrets.size },
  }
}

async function race(): Promise<Fault> {
  const hook = await newHook(node.api, project, hostOf(21), ['flag.created'])
  const etag = (await node.api.send('GET', hook.path)).headers.get('etag')!
  const all = <Value>(act: (index: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: racers }, (_, i) => act(i)))
  const patches = await all((index) =>
    node.api.send('PATCH', hook.path, { name: `Name ${index}` }, { 'if-match': etag }),
  )
  customers.answer(hook.host, () => 410)
  await nextFlag()
  const { id } = await theRecord(node.api, hook, settled)
  const sentBefore = customers.at(hook.host).length
  const retries = await all(() => node.api.send('POST', `${hook.path}/deliveries/${id}/retry`))
  await theRecord(node.api, hook, settled)
  const cycles = customers.at(hook.host).length - sentBefore
  const retried = retries.filter(({ status }) => status === 200).length
  await node.api.call('DELETE', hook.path)
  const { body: list } = await node.api.send('GET', `${project}/webhooks?limit=100`)
  const create = (index: number) =>
    node.api.send('POST', `${project}/webhooks`, {
      name: `Race ${index}`,
      url: `https://${hostOf(22)}/in`,
      events: ['flag.archived'],
    })
  for (let index = list.data.length; index < hooksBefore; index += 1) await create(index)
  const creations = await all(create)
  const count = (replies: { status: number }[], status: number) =>
    replies.filter((reply) => reply.status === status).length
  return {
    violations: [
      ...unless(
        count(patches, 200) === 1 && count(patches, 412) === racers - 1,
        `${patches.map(({ status }) => status)}`,
      ),
      ...unless(count(creations, 201) === hookLimit - hooksBefore, `${creations.map(({ status }) => status)}`),
      ...unless(retried === cycles && retried >= 1, `${retried} retries were taken, ${cycles} cycles sent`),
      ...unless(node.api.failures() === 0, `${node.api.failures()} answers of 500 and above`),
    ],
    numbers: { patched: count(patches, 200), created: count(creations, 201), retried, cycles },
  }
}

/** Sends enough visitors with one variation only to a test of two. */
async function starveVariation(): Promise<Fault> {
  const hook = await newHook(node.api, project, hostOf(30), ['flag.guardrail_breached'])
  const { id } = await nextFlag()
  const [{ id: envId, sdkKey }] = await node.api.call('GET', `${project}/environments`)
  const flag = `${project}/flags/${id}`
  const statistics = { autoPause: { traffic: true } }
  const rule = await node.api.call('POST', `${flag}/envs/${envId}/rules`, abTest('Copy', { statistics }))
  await node.api.call('POST', `${flag}/envs/${envId}/run`)
  const events = Array.from({ length: 30 }, (_, visitor) => ({
    ...{ type: 'exposure', id: randomUUID(), ts: Date.now(), unit: `visitor-${visitor}` },
    ...{ ruleId: String(rule.shortId), variationKey: 'on' },
  }))
  const { status, body } = await node.api.send('POST', '/api/sdk/v1/events', { sdkKey, events })
  const refresh = () => node.api.call('POST', `${flag}/rules/${rule.id}/results/refresh`)
  await refresh()
  const record = await theRecord(node.api, hook, settled)
  // Another snapshot does not send an event again.
  await refresh()
  const { alarm, triggeredBy } = JSON.parse(customers.at(hook.host)[0]?.body ?? '{}')
  const { enabled } = await node.api.call('GET', `${flag}/envs/${envId}/rules/${rule.id}`)
  return {
    violations: [
      ...after([{ hook, records: [record] }], [id]),
      ...unless(status === 202 && body.accepted === events.length, `events: ${status} ${JSON.stringify(body)}`),
      ...unless(alarm?.check === 'VARIATION_STARVED' && alarm.paused && triggeredBy === null, JSON.stringify(alarm)),
      ...unless(!enabled, 'the rule still runs'),
      ...unless(customers.at(hook.host).length === 1, `${customers.at(hook.host).length} alarms`),
    ],
    numbers: { visitors: events.length },
  }
}

await runEach({
  alarm: starveVariation,
  ...(isFull && { W2: killAtPoints }),
  W8: rebind,
  W11: failAndRecover,
  W12: changeUnderWay,
  W14: repeatKey,
  ...(isFull && { W15: race }),
})
