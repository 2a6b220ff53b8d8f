import { expect, test } from 'vitest'
import { isBotAgent, isBotRequest } from './bots.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

test.each([
  [chrome, false],
  [safari, false],
  [google, true],
  ['curl/8.5.0', true],
  [`bot ${'x'.repeat(100_000)}`, true],
])('%.60s as the user agent of a visitor is a bot: %s', (userAgent, isBot) => {
  expect(isBotAgent(userAgent)).toBe(isBot)
})

test.each([
  ['a browser', { 'user-agent': chrome, origin: 'https://shop.example' }, false],
  ['a crawler that runs the page', { 'user-agent': google, origin: 'https://shop.example' }, true],
  ['a crawler', { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, true],
  ['a browser without a window', { 'user-agent': chrome.replace('Chrome/', 'HeadlessChrome/') }, true],
  ['a server in Node', { 'user-agent': 'node' }, false],
  ['a server in Python', { 'user-agent': 'python-requests/2.32' }, false],
  ['a program that says it is a page', { 'user-agent': 'python-requests/2.32', 'sec-fetch-site': 'cross-site' }, true],
  ['a sender without a user agent', {}, false],
])('%s', (_what, headers, isBot) => {
  expect(isBotRequest(headers)).toBe(isBot)
})
