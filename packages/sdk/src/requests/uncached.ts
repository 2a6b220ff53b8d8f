/**
 * Keeps caches of frameworks, such as that of Next.js, from answering in place of the service. Cloudflare Workers of an
 * earlier compatibility date throw for this option; they cache nothing by themselves.
 */
export const uncached: RequestInit = takes({ cache: 'no-store' }) ?? {}

function takes(init: RequestInit): RequestInit | undefined {
  try {
    return new Request('http://localhost', init) && init
  } catch {
    return undefined
  }
}
