import { expect, test } from 'vitest'
import { isKnown } from './revalidation.ts'

const etag = '"sha256-abc"'

test.each([
  [undefined, false],
  ['', false],
  [etag, true],
  [`W/${etag}`, true],
  [`"other", ${etag}`, true],
  [`"other",W/${etag}`, true],
  ['"sha256-abc-gzip"', true],
  ['W/"sha256-abc-br"', true],
  ['"sha256-abc;gzip"', true],
  ['"sha256-abc--gzip"', true],
  ['"sha256-ab-gzip"', false],
  ['"sha256-abc-zip"', false],
  ['*', true],
  ['"sha256-ab"', false],
  ['sha256-abc', false],
])('If-None-Match %j matches the ETag: %s', (header, known) => expect(isKnown(header, etag)).toBe(known))
