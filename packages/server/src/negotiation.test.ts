import { expect, test } from 'vitest'
import { encodingFor } from './negotiation.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0.000', 'identity'],
  ['br;q=0.01', 'br'],
  ['GZIP', 'gzip'],
  ['deflate, zstd', 'identity'],
  ['identity', 'identity'],
  ['brotli', 'identity'],
])('Accept-Encoding %j gives %s', (header, encoding) => expect(encodingFor(header)).toBe(encoding))
