import { expect, it } from 'vitest'
import {
  bodyOf,
  inputOf,
  rules,
  shownFields,
  tidy,
  valuesOf,
  type WebSettings,
  type WebSettingsValues,
  wordsOf,
} from './web-settings.ts'

const settings: WebSettings = {
  hosts: ['shop.example', '*.shop.example'],
  consent: 'REQUIRED',
  pending: 'APPLY',
  honorPrivacySignals: true,
  codeVariations: false,
  maxDelayMs: 2000,
  scriptMaxAgeSeconds: 60,
  cookieDomain: null,
}

it.each([{}, { cookieDomain: 'shop.example' }, { hosts: [] }])('the form sends what it was given: %o', (more) => {
  expect(bodyOf(valuesOf({ ...settings, ...more }))).toEqual({ ...settings, ...more })
})

it('the form leaves out rows without a host', () => {
  const typed = { ...valuesOf(settings), hosts: [' shop.example ', '', '  '] }
  expect(tidy(typed).hosts).toEqual(['shop.example'])
  const tidied = tidy(typed)
  expect(tidy(tidied)).toBe(tidied)
})

it.each([
  [['hosts', 1], 'hosts.1'],
  [['hosts'], undefined],
  [['maxDelayMs'], undefined],
])('an issue at %o is about the input %s', (path, input) => {
  expect(inputOf(path)).toBe(input)
})

it.each<[keyof typeof rules, string, boolean]>([
  ['maxDelayMs', '0', true],
  ['maxDelayMs', '10000', true],
  ['maxDelayMs', '10001', false],
  ['maxDelayMs', '', false],
  ['maxDelayMs', '1.5', false],
  ['scriptMaxAgeSeconds', '3600', true],
  ['scriptMaxAgeSeconds', '3601', false],
  ['scriptMaxAgeSeconds', '-1', false],
])('%s with the text “%s” is right: %s', (field, text, isRight) => {
  expect(rules[field](text) === undefined).toBe(isRight)
})

it('every setting has words, and what is pending only while consent is required', () => {
  const values = valuesOf(settings)
  const inWords = (each: WebSettingsValues) => shownFields(each).map((field) => wordsOf(field, each))
  expect(inWords(values)).toEqual([
    'shop.example and *.shop.example',
    'Is required',
    'Show the variation',
    'Count as a refusal',
    'Never runs',
    '2,000 ms after the page is shown',
    '60 seconds',
    'The widest that the browser takes',
  ])
  expect(shownFields({ consent: 'NOT_REQUIRED' })).not.toContain('pending')
})
