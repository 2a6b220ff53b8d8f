import { isIP } from 'node:net'

const defaultPort = '443'

/** `host:port` of every origin that the operator opened; the port is 443 where none was written. */
export type AllowedHosts = ReadonlySet<string>

/** Why a value of `SVC_WEBHOOK_ALLOWED_HOSTS` cannot be used, in one sentence; undefined when it can. */
export function allowedHostsProblem(text: string): string | undefined {
  for (const entry of entries(text)) {
    const problem = entryProblem(entry)
    if (problem) return problem
  }
  return undefined
}

/** Reads a value that `allowedHostsProblem` has nothing against; throws on any other. */
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
  if (entry === '') return 'An entry is empty; write host or host:port, separated by commas.'
  if (entry.includes('*')) return `${entry}: a host is written in full, there are no wildcards.`
  if (entry.includes('@')) return 'An entry must not contain a username or password.'
  if (/[/\\?#\s]/.test(entry)) return `${entry}: write host or host:port, without scheme or path.`
  const url = URL.parse(`https://${entry}`)
  if (!url || url.port === '0' || /:$/.test(entry)) return `${entry}: write host or host:port.`
  if (url.hostname.startsWith('[') || isIP(url.hostname.replace(/\.$/, '')))
    return `${entry}: write the name of a host, not an IP address.`
  if (url.hostname.endsWith('.')) return `${entry}: a host does not end with a dot.`
  return undefined
}
