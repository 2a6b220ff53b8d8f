import { expect, test } from 'vitest'
import { fragmentText, keyOf, parseFragment } from './bytes.ts'

const flag = (id: string) => ({
  id,
  type: 'BOOLEAN' as const,
  enabled: true,
  variations: { on: 'true', off: 'false' },
  defaultVariation: 'off',
  rules: [],
})

test('a fragment parses back into its flag', () => {
  expect(parseFragment(fragmentText('a "key"', flag('f')))).toEqual(flag('f'))
  expect(parseFragment(null)).toBeNull()
  expect(keyOf(fragmentText('one-page.checkout_2', flag('f')))).toBe('one-page.checkout_2')
})
