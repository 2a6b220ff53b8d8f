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
    [' ', 'An entry is empty; write host or host:port, separated by commas.'],
    ['a,,b', 'An entry is empty; write host or host:port, separated by commas.'],
    ['*.example.com', '*.example.com: a host is written in full, there are no wildcards.'],
    ['*', '*: a host is written in full, there are no wildcards.'],
    ['https://example.com', 'https://example.com: write host or host:port, without scheme or path.'],
    ['example.com/hook', 'example.com/hook: write host or host:port, without scheme or path.'],
    ['a b', 'a b: write host or host:port, without scheme or path.'],
    ['user:secret@example.com', 'An entry must not contain a username or password.'],
    ['example.com:', 'example.com:: write host or host:port.'],
    ['example.com:0', 'example.com:0: write host or host:port.'],
    ['example.com:70000', 'example.com:70000: write host or host:port.'],
    ['example.com:x', 'example.com:x: write host or host:port.'],
    [':8443', ':8443: write host or host:port.'],
    ['10.0.0.1', '10.0.0.1: write the name of a host, not an IP address.'],
    ['0x7f.1:8443', '0x7f.1:8443: write the name of a host, not an IP address.'],
    ['[::1]:8443', '[::1]:8443: write the name of a host, not an IP address.'],
    ['10.0.0.0/8', '10.0.0.0/8: write host or host:port, without scheme or path.'],
    ['receiver.', 'receiver.: a host does not end with a dot.'],
  ])('%j is refused: %s', (text, problem) => {
    expect(allowedHostsProblem(text)).toBe(problem)
    expect(() => parseAllowedHosts(text)).toThrow(problem)
  })
})
