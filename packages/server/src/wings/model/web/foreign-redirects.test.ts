import { expect, test } from 'vitest'
import { firstWebContent, noContent } from './content.ts'
import { foreignRedirects } from './foreign-redirects.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: true }

test.each([
  [[], true],
  [['*.shop.example'], true],
  [['other.example'], true],
  [['shop.example'], false],
])('a redirect to shop.example with the hosts %j is refused: %s', (hosts, isRefused) => {
  const variations = { price: { ...noContent, redirect }, other: noContent }
  const tested = [
    { id: 'price', key: 'price' },
    { id: 'other', key: 'other' },
  ]
  const found = foreignRedirects({ ...firstWebContent, variations }, tested, hosts)
  expect(found.map(({ code }) => code)).toEqual(isRefused ? ['HOST_NOT_ALLOWED'] : [])
})
