import { expect, test } from 'vitest'
import { oneLine } from './fields.ts'

test.each([
  ['Acme', 'Acme'],
  ['  Acme   Works\t', 'Acme Works'],
  ['Acme\r\nBcc: eve@evil.test', 'Acme Bcc: eve@evil.test'],
  ['a\u2028b\u2029c\u0085d\ve', 'a b c d e'],
  ['\u001b[31mred\u009b0m', '[31mred 0m'],
  ['safe\u202eexe.txt\u2066', 'safe exe.txt'],
  ['Zoë 日本 \u{1F600}', 'Zoë 日本 \u{1F600}'],
  ['\n\u0000\n', ''],
])('%j in one line is %j', (text, line) => expect(oneLine(text)).toBe(line))
