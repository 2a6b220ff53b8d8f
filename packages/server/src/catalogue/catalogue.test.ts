import { expect, expectTypeOf, it } from 'vitest'
import type { OrganizationChange, ProjectChange } from '../platform/outbox.ts'
import {
  type ActionName,
  actions,
  announced,
  type OrganizationAction,
  type ProjectAction,
  publishReasonOf,
} from './actions.ts'
import { type EventName, eventNames, events } from './events.ts'
import { addresses, nounRows, nouns } from './nouns.ts'
import { bodySchemas, isProduced, payloads, type RecordedName } from './payloads.ts'

const details = [
  'dataFile',
  'changes',
  'schedule',
  'previousName',
  'reason',
  'changes',
  'alarm',
  'results',
  'winner',
  'sdkKey',
  'ingestKey',
  'visitors',
  'kind',
  'projectId',
  'projectName',
  'link',
  'itemsSkipped',
  'changed',
  'orders',
  'run',
  'variation',
  'changeSet',
  'via',
  'script',
]
const nounFields = Object.values(nouns).flatMap((noun) => ('inBody' in noun ? [...noun.inBody] : []))

it('every field of an event belongs to a noun, or is a detail that no filter checks', () => {
  for (const [name, fields] of Object.entries(payloads))
    for (const field of Object.keys(fields)) expect([...nounFields, ...details], `${name}: ${field}`).toContain(field)
})

it('no two nouns share a field', () => {
  expect(new Set(nounFields).size).toBe(nounFields.length)
})

it('no two nouns have the same letter in ETags, or the same place in addresses', () => {
  for (const values of [
    nounRows.flatMap(([, { etag }]) => etag ?? []),
    addresses.map(({ param }) => param),
    addresses.map(({ path }) => path),
    addresses.flatMap(({ table }) => table ?? []),
  ])
    expect(new Set(values).size).toBe(values.length)
})

it('every produced event belongs to an action, is a test ping or announced, or is recorded in every project', () => {
  const rows: { events: readonly EventName[]; inEachProject?: EventName }[] = Object.values(actions)
  const told = rows.flatMap(({ events, inEachProject }) => [...events, ...(inEachProject ? [inEachProject] : [])])
  expect([...new Set([...told, ...announced, 'webhook.test'])].toSorted()).toEqual(
    eventNames.filter(isProduced).toSorted(),
  )
})

it('every body names what its event is about', () => {
  for (const name of eventNames.filter(isProduced)) {
    const [field] = nouns[events[name].about].inBody
    if (name !== 'webhook.test') expect(Object.keys(bodySchemas[name].shape), name).toContain(field)
  }
})

it('an action has a reason to publish exactly if it can publish', () => {
  for (const [name, { events }] of Object.entries<{ events: readonly string[] }>(actions))
    expect(publishReasonOf(name as ActionName) !== undefined, name).toBe(events.includes('flag.published'))
})

it('a change is typed by the rows: a missing part does not compile', () => {
  type Created = ProjectChange<'webhook.create'>
  expectTypeOf<Created['object']['type']>().toEqualTypeOf<'webhook'>()
  expectTypeOf<Created['events'][number]>().toEqualTypeOf<{
    name: 'webhook.created'
    payload: { webhook: { id: string; name: string; enabled: boolean } }
  }>()
  expectTypeOf<[]>().not.toExtend<Created['events']>()
  expectTypeOf<OrganizationChange<'member.invite'>['object']['type']>().toEqualTypeOf<'invitation'>()
  expectTypeOf<'webhook.forget'>().not.toExtend<ActionName>()
  expectTypeOf<'webhook.create'>().not.toExtend<OrganizationAction>()
  expectTypeOf<'role.create'>().not.toExtend<ProjectAction>()
  expectTypeOf<'flag.forgotten'>().not.toExtend<RecordedName>()
})
