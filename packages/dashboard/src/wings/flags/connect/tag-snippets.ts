import type { Check } from './snippets.ts'

export interface Tag {
  /** The address of the service, without a slash at the end. */
  baseUrl: string
  sdkKey: string
}

export interface TagSnippet {
  /** What people choose: "Sync", "Next.js". */
  language: string
  /** When to take it, and where it goes. */
  use: string
  code: string
}

export const scriptOf = ({ baseUrl, sdkKey }: Tag): string => `${baseUrl}/sdk/v1/web/${sdkKey}.js`

/** The origin, because a policy would take a path literally. */
const originOf = ({ baseUrl }: Tag): string => new URL(baseUrl).origin

/** The tag of a page. */
export function tagSnippets(tag: Tag): [TagSnippet, ...TagSnippet[]] {
  const src = scriptOf(tag)
  return [
    {
      language: 'Sync',
      use: 'Put it first in <head>. The page waits for it, so nobody sees the unchanged page first. Take this if the service is near and always there.',
      code: `<script src="${src}" crossorigin></script>\n`,
    },
    {
      language: 'Async',
      use: 'Put it first in <head>. The page never waits, so visitors can see the unchanged page for a moment.',
      code: `<script src="${src}" crossorigin async></script>\n`,
    },
    {
      language: 'Async, with hidden parts',
      use: 'Put all three first in <head>, and add data-svc-hide to the elements that an experiment changes. They are hidden until the script has run, for 0.8 seconds at most. The rest of the page is never hidden. If your policy forbids inline styles and scripts, add your nonce to both.',
      code: `<style>
  html:not(.svc) [data-svc-hide] { visibility: hidden; animation: svc 0s 0.8s forwards }
  @keyframes svc { to { visibility: visible } }
</style>
<script>
  for (const type of ['load', 'error'])
    document.addEventListener(
      type,
      ({ target }) => target.id === 'svc' && document.documentElement.classList.add('svc'),
      true,
    )
</script>
<script id="svc" src="${src}" crossorigin async></script>\n`,
    },
    {
      language: 'Tag manager',
      use: 'Make a tag of the kind “Custom HTML” that fires first on all pages, before all others. A tag manager loads late, so visitors can see the unchanged page for a moment.',
      code: `<script src="${src}" crossorigin async></script>\n`,
    },
  ]
}

/** The same in the code of a site. */
export function siteSnippets(tag: Tag): [TagSnippet, ...TagSnippet[]] {
  const src = scriptOf(tag)
  return [
    {
      language: 'Next.js',
      use: 'Put the script into app/layout.jsx.',
      code: `export default function Layout({ children }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script src="${src}" crossOrigin="anonymous" />
      </head>
      <body>{children}</body>
    </html>
  )
}
`,
    },
    {
      language: 'Nuxt',
      use: 'Put the script into nuxt.config.ts.',
      code: `export default defineNuxtConfig({
  app: {
    head: {
      script: [{ src: '${src}', crossorigin: 'anonymous', tagPriority: 'critical' }],
    },
  },
})
`,
    },
    {
      language: 'Your server',
      use: 'Your server decides and writes the script into the page, which then loads nothing before its first change.',
      code: `import { createClient } from '@svc/sdk'
import { createWeb } from '@svc/sdk/web-server'

const client = createClient({
  sdkKey: '${tag.sdkKey}',
  baseUrl: '${tag.baseUrl}',
})
const web = createWeb({ client })
await web.waitUntilReady({ timeoutMs: 2_000 })

/** What belongs first into <head>, and the headers of the answer. \`url\` is the address that the browser shows. */
export function experimentsFor({ url, cookie, nonce }) {
  const visitor = web.visitor(cookie)
  const { redirect } = web.decide({ url, visitor })
  return { head: web.inline({ nonce, visitor }), setCookie: visitor.setCookie, redirect }
}
`,
    },
  ]
}

/** What a content security policy must allow. */
export const policyOf = (tag: Tag): string => `script-src ${originOf(tag)}; connect-src ${originOf(tag)}`

/** What can be wrong when no page is seen, each with a command that checks it. */
export function tagChecks(tag: Tag): Check[] {
  return [
    {
      title: 'The page has no tag, or the tag of another environment',
      means: 'This counts the tag in the source of a page: 1 is good. Put in the address of your page.',
      command: `curl -sSL 'https://your-site.example/' | grep -c '${scriptOf(tag)}'`,
    },
    {
      title: 'Browsers cannot reach the script',
      means: 'Run this where your visitors are. 200 is good. 404 means that no environment has this key.',
      command: `curl -sS -o /dev/null -w '%{http_code}\\n' '${scriptOf(tag)}'`,
    },
    {
      title: 'The content security policy of the page blocks it',
      means: 'The browser’s console then names script-src or connect-src. Add this to the policy of your page.',
      command: policyOf(tag),
    },
  ]
}
