import { expect, test } from 'vitest'
import { TooBusy } from '../../../turns.ts'
import { hashPassword, verifyPassword } from './password.ts'

test('a password matches its own hash only', async () => {
  const stored = await hashPassword('violet lantern')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('violet lantern', stored)).toBe(true)
  expect(await verifyPassword('violet lanterns', stored)).toBe(false)
  expect(await hashPassword('violet lantern')).not.toBe(stored)
})

test('one text in two Unicode spellings is one password', async () => {
  expect(await verifyPassword('cafe\u0301 at night', await hashPassword('caf\u00e9 at night'))).toBe(true)
})

test('a hash of another tool with different parameters matches too', async () => {
  // argon2id of the reference implementation: echo -n password | argon2 somesalt -id -m 16 -t 2 -p 4 -l 24
  const stored = '$argon2id$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$GpZ3sK/oH9p7VIiV56G/64Zo/8GaUw434IimaPqxwCo'
  expect(await verifyPassword('other', stored)).toBe(false)
})

test('nothing matches if there is no password, not even the text of the dummy hash', async () => {
  for (const password of ['', 'password', 'null']) expect(await verifyPassword(password, null)).toBe(false)
})

test('without a password, the same work is done: two at a time, with up to 64 waiting', async () => {
  const tried = await Promise.allSettled(Array.from({ length: 69 }, () => verifyPassword('violet lantern', null)))
  const refused = tried.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  expect(refused.map(({ reason }) => reason)).toEqual(Array(3).fill(expect.any(TooBusy)))
  expect(tried.filter((each) => each.status === 'fulfilled').every(({ value }) => value === false)).toBe(true)
})

test('a stored password that is not a hash is a fault', async () => {
  await expect(verifyPassword('x', 'plain')).rejects.toThrow('not an argon2id hash')
})
