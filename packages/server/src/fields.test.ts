import { expect, test } from 'vitest'
import { nameField, oneLine } from './fields.ts'

test.each([
  ['Acme', 'Acme'],
  ['  Acme   Works\t', 'Acme Works'],
  ['Acme\r\nBcc: eve@evil.test', 'Acme Bcc: eve@evil.test'],
  ['a\u2028b\u2029c\u0085d\ve', 'a b c d e'],
  ['\u001b[31mred\u009b0m', '[31mred 0m'],
  ['safe\u202eexe.txt\u2066', 'safe exe.txt'],
  ['Zoë 日本 \u{1F600}', 'Zoë 日本 \u{1F600}'],
  ['\n\u0000\n', ''],
])('%j becomes %j in one line', (text, line) => expect(oneLine(text)).toBe(line))

test.each([
  ['Acme', 'Acme'],
  [' OWNER', 'OWNER'],
  ['\u00a0OWNER\u2003', 'OWNER'],
  ['Zoë 日本 \u{1F600}', 'Zoë 日本 \u{1F600}'],
  ['\u{1F469}\u200d\u{1F4BB}', '\u{1F469}\u200d\u{1F4BB}'],
  ['Cafe\u0301', 'Caf\u00e9'],
  ['Web\u00a0 \u2009shop', 'Web shop'],
  ['東京\u3000店', '東京 店'],
  ['STAGING', 'STAGING'],
  ['\u2764\ufe0f', '\u2764\ufe0f'],
  ['1\ufe0f\u20e3', '1\ufe0f\u20e3'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
])('the name %j is stored as %j', (name, kept) => expect(nameField.parse(name)).toBe(kept))

test.each([
  ['blank', ' \t '],
  ['a zero-width space', 'OWNER\u200b'],
  ['a joiner between ASCII letters', 'OW\u200dNER'],
  ['a variation selector after an ASCII letter', 'OWNER\ufe0f'],
  ['a soft hyphen', 'OWN\u00adER'],
  ['a Hangul filler', 'OWNER\u3164'],
  ['a line break', 'OWNER\nis here'],
  ['a line separator', 'OWNER\u2028is here'],
  ['an escape', '\u001b[31mOWNER'],
  ['a change of direction', 'safe\u202eexe.txt'],
  ['201 characters', 'x'.repeat(201)],
])('a name with %s is refused', (_what, name) => expect(nameField.safeParse(name).success).toBe(false))
