import { expect, it } from 'vitest'
import { mistypedVariables } from './variables.ts'

it('svc names a variable that is nearly one of svc', () => {
  expect(mistypedVariables({ SVC_PROJET: 'shop', SVC_TOKEN_FIEL: 'x', PATH: '/bin' })).toEqual([
    'SVC_PROJET is not a variable of svc. Did you mean SVC_PROJECT?',
    'SVC_TOKEN_FIEL is not a variable of svc. Did you mean SVC_TOKEN_FILE?',
  ])
})

it('svc ignores its own variables, those of the service and those of scripts', () => {
  const set = ['SVC_URL', 'SVC_ENV', 'SVC_TOKEN_FILE', 'SVC_PORT', 'SVC_ROLE', 'SVC_SECRET_KEY_FILE', 'SVC_MY_SCRIPT']
  expect(mistypedVariables(Object.fromEntries(set.map((name) => [name, 'x'])))).toEqual([])
})
