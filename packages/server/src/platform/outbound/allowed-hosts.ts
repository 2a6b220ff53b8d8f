import { isIP } from 'node:net'

export const defaultPort = '443'

/** `host:port` of every origin that the operator allowed; the default port is 443. */
export type AllowedHosts = ReadonlySet<string>

/**
 * Says what is wrong with a value of `SVC_WEBHOOK_ALLOWED_HOSTS`, worded to follow its name; undefined if it is valid.
 */
export function allowedHostsProblem(text: string): string | undefined {
  for (const entry of entries(text)) {
    const problem = entryProblem(entry)
    if (problem) return problem
  }
  return undefined
}

/** Reads a value that `allowedHostsProblem` accepts; throws for any other. */
export function parseAllowedHosts(text: string): AllowedHosts {
  const problem = allowedHostsProblem(text)
  if (problem) throw new Error(problem)
  return new Set(
    entries(text).map((entry) => {
      const url = new URL(`https://${entry}`)
      return `${url.hostname}:${url.port || defaultPort}`
    }),
  )
}

export const isAllowed = (hosts: AllowedHosts, url: URL): boolean =>
  hosts.has(`${url.hostname}:${url.port || defaultPort}`)

const entries = (text: string): string[] => (text === '' ? [] : text.split(',').map((entry) => entry.trim()))

function entryProblem(entry: string): string | undefined {
  const got = `(got ${entry})`
  if (entry === '') return 'must not have an empty entry: write host or host:port, separated by commas.'
  if (entry.includes('*')) return `must name each host in full, without wildcards ${got}.`
  if (entry.includes('@')) return 'must not contain a username or password.'
  if (/[/\\?#\s]/.test(entry)) return `must name each host as host or host:port, without scheme or path ${got}.`
  const url = URL.parse(`https://${entry}`)
  if (!url || url.port === '0' || /:$/.test(entry)) return `must name each host as host or host:port ${got}.`
  if (url.hostname.startsWith('[') || isIP(url.hostname.replace(/\.$/, '')))
    return `must name each host by its hostname, not by its IP address ${got}.`
  if (url.hostname.endsWith('.')) return `must name each host without a dot at its end ${got}.`
  return undefined
}
