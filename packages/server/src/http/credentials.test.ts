import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { type InTurn, inTurn } from '../turns.ts'
import { type Credential, chooseOrganization, type Membership, readCredential } from './credentials.ts'

const member = (id: string, shortId: number): Membership => ({
  organization: { id, shortId, name: `Organization ${id}`, features: [] },
  role: { id: 'r', name: 'EDITOR', builtIn: true, capabilities: [] },
  scopes: new Set(),
  projects: null,
})
const one = member('0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', 7)
const two = member('0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e22', 8)
const holder = (...memberships: Membership[]): Credential => ({
  type: 'PERSONAL_TOKEN',
  id: 't',
  name: 'laptop',
  user: { id: 'u', name: 'Una', email: 'una@svc.test' },
  memberships,
})

test.each([
  ['the only organization, without a header', holder(one), undefined, one],
  ['the only organization by id', holder(one), one.organization.id, one],
  ['one of two organizations by id', holder(one, two), two.organization.id, two],
  ['one of two organizations by id in capitals', holder(one, two), two.organization.id.toUpperCase(), two],
  ['one of two organizations by short id', holder(one, two), '8', two],
])('a request selects %s', (_what, credential, header, expected) => {
  expect(chooseOrganization(credential, header)).toMatchObject(expected)
})

test.each([
  ['several organizations and no header', holder(one, two), undefined, 'organization_required'],
  ['no organization and no header', holder(), undefined, 'organization_required'],
  ['the id of an organization without the holder', holder(one), two.organization.id, 'not_found'],
  ['the short id of an organization without the holder', holder(one), '8', 'not_found'],
  ['a short id with different digits', holder(one), '07', 'not_found'],
  ['an empty header', holder(one), '', 'not_found'],
])('%s: refused', (_what, credential, header, refusal) => {
  expect(chooseOrganization(credential, header)).toMatchObject({ refusal })
})

interface FakeSocket {
  destroyed: boolean
  writableEnded: boolean
}

const open = inTurn({ atOnce: 1, waitingAtMost: 0 })

/** A request whose socket the test controls, and the look-ups made for it. */
function arrive(inTurn: InTurn) {
  const socket: FakeSocket = { destroyed: false, writableEnded: false }
  const request = { raw: { socket }, headers: { authorization: 'Bearer secret' }, cookies: {}, ip: '192.0.2.1' }
  const lookedUp: string[] = []
  const found = Promise.withResolvers<void>()
  const lookUp = async (secret: string) => {
    lookedUp.push(secret)
    await found.promise
    return holder(one)
  }
  const options = { cookie: { name: 'svc', secure: false, origin: 'http://svc.test' }, sessionsOnly: false }
  const authenticators = { inTurn, bearer: lookUp, session: lookUp, editor: lookUp }
  const credential = readCredential(request as unknown as FastifyRequest, authenticators, options)
  return { socket, lookedUp, find: found.resolve, credential }
}

test.each<[string, Partial<FakeSocket>]>([
  ['answered by the parser in the same packet', { writableEnded: true }],
  ['cut off', { destroyed: true }],
])('no holder is looked up for a request that is %s', async (_what, end) => {
  const { socket, lookedUp, credential } = arrive(open)
  // The parser does this in the same turn in which it hands over the head of the request.
  Object.assign(socket, end)
  expect(await credential).toMatchObject({ refusal: 'validation_failed' })
  expect(lookedUp).toEqual([])
})

test('the sender of a complete request is looked up', async () => {
  const { lookedUp, find, credential } = arrive(open)
  find()
  expect(await credential).toEqual(holder(one))
  expect(lookedUp).toEqual(['secret'])
})

test('a caller who hangs up is skipped while waiting and dropped during the look-up', async () => {
  const turns = inTurn({ atOnce: 1, waitingAtMost: 10 })
  const [first, second, third] = [arrive(turns), arrive(turns), arrive(turns)]
  await nextTurn()
  second.socket.destroyed = true
  first.socket.destroyed = true
  first.find()
  third.find()
  expect(await first.credential).toMatchObject({ refusal: 'validation_failed' })
  expect(await second.credential).toMatchObject({ refusal: 'validation_failed' })
  expect(await third.credential).toEqual(holder(one))
  expect([first, second, third].map(({ lookedUp }) => lookedUp.length)).toEqual([1, 0, 1])
})

test('the answer asks to try again when too many requests are waiting', async () => {
  const turns = inTurn({ atOnce: 1, waitingAtMost: 0 })
  const [first, second] = [arrive(turns), arrive(turns)]
  expect(await second.credential).toMatchObject({ refusal: 'unavailable' })
  first.find()
  expect(await first.credential).toEqual(holder(one))
})
