import { expect, it } from 'vitest'
import { newAddressOf, projectNamedIn } from './old-addresses.ts'

it.each([
  ['/projects/3/flags/a?env=production#x', '3', '/7-acme/3-web-shop/flags/a?env=production#x'],
  ['/projects/0198F2C6-7d5e', '0198f2c6-7d5e', '/7-acme/3-web-shop'],
  ['/projects/3?a=/projects/4', '3', '/7-acme/3-web-shop?a=/projects/4'],
  ['/projects/%E0%A4%A', '%e0%a4%a', '/7-acme/3-web-shop'],
])('%s names the project %s and becomes %s', (href, named, expected) => {
  expect(projectNamedIn(href)).toBe(named)
  expect(newAddressOf(href, '7-acme', '3-web-shop')).toBe(expected)
})

it.each([
  ['/settings/organization', '/7-acme/settings/general'],
  ['/settings/members', '/7-acme/settings/members'],
  ['/settings/tokens/new', '/7-acme/settings/tokens/new'],
  ['/settings/audit?actor=system', '/7-acme/settings/audit?actor=system'],
])('%s becomes %s', (href, expected) => {
  expect(projectNamedIn(href)).toBeUndefined()
  expect(newAddressOf(href, '7-acme')).toBe(expected)
})
