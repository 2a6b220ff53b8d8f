import fc from 'fast-check'
import { messageOf } from './ticket-messages.ts'

const pieces = [
  ...['<!channel>', '@everyone', '@here', '<@U123>', '<users/all>', '<@&1>', '[x](javascript:alert)'],
  ...['**b**', '`c`', '~~s~~', '||x||', '- list', '1. one', '# head'],
  ...[
    '&amp;',
    '&#60;b&#62;',
    '"quotes"',
    "it's",
    '\\',
    '<b>',
    '</td></table>',
    '<script>alert(1)</script>',
    '<!--',
    ']]>',
  ],
  ...['\r\nBcc: eve@evil.example', '\nTo: eve@evil.example\n\n', '\r\n.\r\nQUIT\r\n', '=?utf-8?Q?=0d=0aBcc:_eve?='],
  ...['\u0000', '\ud800', '\u202e', '\u2028', '\u0085', '\n\n', '\t'],
  ...['שלום', 'العربية', '日本語', '👩‍👩‍👧‍👦', '🇳🇱', 'e\u0301'],
]

/** Names that mean something to chats, HTML, mail or terminals, and very long ones. */
export const hostile = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 20, unit: 'grapheme' })), { maxLength: 30 })
    .map((all) => all.join(' ')),
  fc.constantFrom(...pieces).map((piece) => piece.repeat(Math.ceil(10_000 / piece.length))),
)

/** Messages full of such names. */
export const hostileMessages = fc
  .record({
    title: hostile,
    summary: hostile,
    project: hostile,
    actor: hostile,
    key: hostile,
    tone: fc.constantFrom('GOOD' as const, 'INFO' as const, 'WARNING' as const, 'BAD' as const),
    facts: fc.array(fc.record({ label: hostile, value: hostile }), { maxLength: 30 }),
  })
  .map((more) => messageOf(more))
