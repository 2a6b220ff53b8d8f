import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

const email = 'olive.owner@acme-shop.test'

test.each([
  ['eight characters', 'kzq7 wvx'],
  ['letters alone', 'violet harbour lantern'],
  ['256 characters', 'ab3 '.repeat(64)],
  ['characters beyond the basic plane', '🦉🌊🎻🏔🚲🧭🌵🪁'],
  ['a much used word among others', 'password of the seven harbours'],
  ['the own address among enough others', 'olive.owner likes violet lanterns'],
  ['the service’s name among enough others', 'svc violet lantern'],
])('%s will do', async (_what, password) => {
  expect(await passwordProblem(password, email)).toBeUndefined()
})

test.each([
  ['seven characters', 'kzq7wvx', /at least 8/],
  ['seven characters beyond the basic plane', '🦉🌊🎻🏔🚲🧭🌵', /at least 8/],
  ['seven characters once composed', 'kzq7wve\u0301', /at least 8/],
  ['257 characters', `${'ab3 '.repeat(64)}x`, /at most 256/],
  ['a much used one', 'password1', /most common/],
  ['a much used one in other case', 'PassWord1', /most common/],
  ['a much used one in wide letters', 'ｐａｓｓｗｏｒｄ１', /most common/],
  ['the own address', email, /e-mail/],
  ['the own name and a year', 'Olive.Owner2026', /e-mail/],
  ['the own domain and digits', '1acme-shop.test1', /e-mail/],
  ['the service’s name, repeated', 'svcsvcsvc1', /service/],
])('%s will not', async (_what, password, problem) => {
  expect(await passwordProblem(password, email)).toMatch(problem)
})

test('a local part of two letters forbids nothing', async () => {
  expect(await passwordProblem('zealous1', 'al@acme.test')).toBeUndefined()
})
