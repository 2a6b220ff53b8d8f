import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

const email = 'olive.owner@acme-shop.test'

test.each([
  ['eight characters', 'kzq7 wvx'],
  ['only letters', 'violet harbour lantern'],
  ['256 characters', 'ab3 '.repeat(64)],
  ['characters beyond the basic multilingual plane', '🦉🌊🎻🏔🚲🧭🌵🪁'],
  ['a common word among others', 'password of the seven harbours'],
  ['your own address with enough other words', 'olive.owner likes violet lanterns'],
  ['the service’s name with enough other words', 'svc violet lantern'],
])('%s is accepted', async (_what, password) => {
  expect(await passwordProblem(password, email)).toBeUndefined()
})

test.each([
  ['seven characters', 'kzq7wvx', /at least 8/],
  ['seven characters beyond the basic multilingual plane', '🦉🌊🎻🏔🚲🧭🌵', /at least 8/],
  ['seven characters after composition', 'kzq7wve\u0301', /at least 8/],
  ['257 characters', `${'ab3 '.repeat(64)}x`, /at most 256/],
  ['a common password', 'password1', /most common/],
  ['a common password in a different case', 'PassWord1', /most common/],
  ['a common password in full-width letters', 'ｐａｓｓｗｏｒｄ１', /most common/],
  ['your own address', email, /e-mail/],
  ['your own name and a year', 'Olive.Owner2026', /e-mail/],
  ['your own domain and digits', '1acme-shop.test1', /e-mail/],
  ['the service’s name, repeated', 'svcsvcsvc1', /service/],
])('%s is refused', async (_what, password, problem) => {
  expect(await passwordProblem(password, email)).toMatch(problem)
})

test('a local part of two letters excludes nothing', async () => {
  expect(await passwordProblem('zealous1', 'al@acme.test')).toBeUndefined()
})
