import { describe, expect, it } from 'vitest'
import { allowedHostsProblem, parseAllowedHosts } from './allowed-hosts.ts'

describe('the list of allowed hosts', () => {
  it.each([
    ['', []],
    ['receiver', ['receiver:443']],
    ['receiver:443', ['receiver:443']],
    ['Receiver:8443, hooks.acme.internal', ['receiver:8443', 'hooks.acme.internal:443']],
    ['localhost:8443', ['localhost:8443']],
    ['bücher.example', ['xn--bcher-kva.example:443']],
  ])('%j opens %j', (text, hosts) => {
    expect(allowedHostsProblem(text)).toBeUndefined()
    expect([...parseAllowedHosts(text)]).toEqual(hosts)
  })

  it.each([
    [' ', 'must not have an empty entry: write host or host:port, separated by commas.'],
    ['a,,b', 'must not have an empty entry: write host or host:port, separated by commas.'],
    ['*.example.com', 'must name each host in full, without wildcards (got *.example.com).'],
    ['*', 'must name each host in full, without wildcards (got *).'],
    [
      'https://example.com',
      'must name each host as host or host:port, without scheme or path (got https://example.com).',
    ],
    ['example.com/hook', 'must name each host as host or host:port, without scheme or path (got example.com/hook).'],
    ['a b', 'must name each host as host or host:port, without scheme or path (got a b).'],
    ['user:secret@example.com', 'must not contain a username or password.'],
    ['example.com:', 'must name each host as host or host:port (got example.com:).'],
    ['example.com:0', 'must name each host as host or host:port (got example.com:0).'],
    ['example.com:70000', 'must name each host as host or host:port (got example.com:70000).'],
    ['example.com:x', 'must name each host as host or host:port (got example.com:x).'],
    [':8443', 'must name each host as host or host:port (got :8443).'],
    ['10.0.0.1', 'must name each host by its hostname, not by its IP address (got 10.0.0.1).'],
    ['0x7f.1:8443', 'must name each host by its hostname, not by its IP address (got 0x7f.1:8443).'],
    ['[::1]:8443', 'must name each host by its hostname, not by its IP address (got [::1]:8443).'],
    ['10.0.0.0/8', 'must name each host as host or host:port, without scheme or path (got 10.0.0.0/8).'],
    ['receiver.', 'must name each host without a dot at its end (got receiver.).'],
  ])('%j is refused: %s', (text, problem) => {
    expect(allowedHostsProblem(text)).toBe(problem)
    expect(() => parseAllowedHosts(text)).toThrow(problem)
  })
})
