import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { type Credential, chooseOrganization, type Membership, readCredential } from './credentials.ts'

const member = (id: string, shortId: number): Membership => ({
  organization: { id, shortId, name: `Organization ${id}`, features: [] },
  role: { id: 'r', name: 'EDITOR', builtIn: true },
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
  ['the only one without a header', holder(one), undefined, one],
  ['the only one by its id', holder(one), one.organization.id, one],
  ['one of two by id', holder(one, two), two.organization.id, two],
  ['one of two by id in capitals', holder(one, two), two.organization.id.toUpperCase(), two],
  ['one of two by short id', holder(one, two), '8', two],
])('%s is chosen', (_what, credential, header, expected) => {
  expect(chooseOrganization(credential, header)).toMatchObject(expected)
})

test.each([
  ['several and no header', holder(one, two), undefined, 'organization_required'],
  ['none and no header', holder(), undefined, 'organization_required'],
  ['an organization that the holder is not in', holder(one), two.organization.id, 'not_found'],
  ['a short id that the holder is not in', holder(one), '8', 'not_found'],
  ['a number that is written otherwise', holder(one), '07', 'not_found'],
  ['an empty header', holder(one), '', 'not_found'],
])('%s: refused', (_what, credential, header, refusal) => {
  expect(chooseOrganization(credential, header)).toMatchObject({ refusal })
})

test.each([
  ['answered by the parser in the same packet', (socket: object) => Object.assign(socket, { writableEnded: true })],
  ['cut off', (socket: object) => Object.assign(socket, { destroyed: true })],
  ['whole', () => undefined],
])('a request that is %s', async (what, happen) => {
  const socket = { destroyed: false, writableEnded: false }
  const request = { raw: { socket }, headers: { authorization: 'Bearer secret' }, cookies: {}, ip: '192.0.2.1' }
  const lookedUp: string[] = []
  const lookUp = async (secret: string) => {
    lookedUp.push(secret)
    return holder(one)
  }
  const options = { cookie: { name: 'svc', secure: false, origin: 'http://svc.test' }, sessionsOnly: false }
  const credential = readCredential(request as unknown as FastifyRequest, { bearer: lookUp, session: lookUp }, options)
  // As the parser does, in the turn in which the head of the request was handed over.
  happen(socket)
  expect(await credential).toMatchObject(what === 'whole' ? holder(one) : { refusal: 'validation_failed' })
  expect(lookedUp).toEqual(what === 'whole' ? ['secret'] : [])
})
