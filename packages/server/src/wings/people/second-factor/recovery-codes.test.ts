import { expect, test } from 'vitest'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

test('creates ten different codes of 120 bits without ambiguous letters', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[2-9a-km-np-z]{6}(-[2-9a-km-np-z]{6}){3}$/)
})

test('ignores case and spacing of a code and refuses a different code', () => {
  const [code = '', other = ''] = newRecoveryCodes()
  for (const text of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    expect(hashOfRecoveryCode(text)).toEqual(hashOfRecoveryCode(code))
  expect(hashOfRecoveryCode(other)).not.toEqual(hashOfRecoveryCode(code))
})
