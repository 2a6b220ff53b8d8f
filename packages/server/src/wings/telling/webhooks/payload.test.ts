import { expect, it } from 'vitest'
import { bodySchemas } from '../../../catalogue/payloads.ts'
import { payloadOf, testPayload } from './payload.ts'

const project = { id: 'p', shortId: 7, name: 'Shop' }
const occurredAt = new Date('2026-11-20T09:59:58.120Z')
const by = { type: 'service_token', id: 't', name: 'ci', email: null, role: null }

it('a payload is the base, what it is about, and who caused it', () => {
  const event = { name: 'flag.created' as const, occurredAt, payload: { flag: { id: 'f' } } }
  expect(payloadOf('d', event, project, by)).toEqual({
    id: 'd',
    event: 'flag.created',
    timestamp: '2026-11-20T09:59:58.120Z',
    project,
    flag: { id: 'f' },
    triggeredBy: by,
  })
  expect(payloadOf('d', event, project, null).triggeredBy).toBeNull()
})

it.each(['user', 'service_token', 'personal_token'])('%s is a type that the schemas know of', (type) => {
  const flag = { id: 'f', shortId: 1, key: 'k', name: 'n', status: 'DRAFT' }
  const event = { name: 'flag.created' as const, occurredAt, payload: { flag } }
  const body = payloadOf('d', event, project, { ...by, type })
  expect(bodySchemas['flag.created'].parse(body)).toEqual(body)
})

it('a test ping has the fields of the specification and no others', () => {
  expect(testPayload('d', project, occurredAt)).toEqual({
    id: 'd',
    event: 'webhook.test',
    timestamp: '2026-11-20T09:59:58.120Z',
    project: { id: 'p' },
    test: true,
    message: expect.any(String),
  })
})
