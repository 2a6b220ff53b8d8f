import { expect, test } from 'vitest'
import { sameSite } from './hosts.ts'

test.each([
  ['shop.example', 'shop.example', null, true],
  ['shop.example', 'www.shop.example', null, true],
  ['a.shop.example', 'b.shop.example', null, true],
  ['shop.example', 'other.example', null, false],
  ['shop.co.uk', 'other.co.uk', null, false],
  ['www.shop.co.uk', 'pay.shop.co.uk', null, true],
  ['co.uk', 'shop.co.uk', null, true],
  ['127.0.0.1', '10.0.0.1', null, false],
  ['[::1]', '[::2]', null, false],
  ['localhost', 'localhost', null, true],
  ['localhost', 'shop.example', null, false],
  ['a.shop.example', 'b.shop.example', 'a.shop.example', false],
  ['a.shop.example', 'b.shop.example', 'shop.example', true],
  ['notshop.example', 'shop.example', 'shop.example', false],
])('a cookie goes along from %s to %s with the cookie domain %s: %s', (from, to, cookieDomain, goes) =>
  expect(sameSite(from, to, cookieDomain)).toBe(goes),
)
