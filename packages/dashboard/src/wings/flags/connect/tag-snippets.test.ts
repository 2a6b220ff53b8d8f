import { expect, it } from 'vitest'
import { policyOf, scriptOf, siteSnippets, tagChecks, tagSnippets } from './tag-snippets.ts'

const tag = { baseUrl: 'https://svc.example/flags', sdkKey: 'sdk_6uJ' }

it('every tag has the script of the environment, and only the first one lets the page wait', () => {
  const snippets = tagSnippets(tag)
  for (const { code } of snippets) expect(code).toContain(`src="${scriptOf(tag)}" crossorigin`)
  expect(snippets.filter(({ code }) => !code.includes(' async>')).map(({ language }) => language)).toEqual(['Sync'])
})

it('sites with a framework get the same script, and servers the same environment', () => {
  const [next, nuxt, server] = siteSnippets(tag)
  for (const { code } of [next, nuxt!]) expect(code).toContain(scriptOf(tag))
  expect(server!.code).toContain("sdkKey: 'sdk_6uJ'")
})

it('the policy names the origin, without a path', () => {
  expect(policyOf(tag)).toBe('script-src https://svc.example; connect-src https://svc.example')
})

it('each check has a command with the real address', () => {
  for (const { command } of tagChecks(tag)) expect(command).toContain('https://svc.example')
})
