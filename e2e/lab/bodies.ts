const most = 1_024

interface AnsweredBody {
  what: string
  status: number
  sent: Buffer
  /** The body in the record of the delivery. */
  kept: string
}

const replaced = (count: number) => '\ufffd'.repeat(count)

const odd: Omit<AnsweredBody, 'status'>[] = [
  { what: 'two bytes, cut', sent: Buffer.from(`${'a'.repeat(most - 1)}é`), kept: 'a'.repeat(most - 1) },
  { what: 'four bytes, cut', sent: Buffer.from(`${'a'.repeat(most - 3)}😀`), kept: 'a'.repeat(most - 3) },
  { what: 'four bytes, whole', sent: Buffer.from(`${'a'.repeat(most - 4)}😀b`), kept: `${'a'.repeat(most - 4)}😀` },
  { what: 'ended inside a character', sent: Buffer.from([0x61, 0xe2, 0x82]), kept: `a${replaced(1)}` },
  { what: 'NUL', sent: Buffer.from('a\0b'), kept: 'ab' },
  { what: 'nothing but NUL', sent: Buffer.alloc(2_000), kept: '' },
  { what: 'a lone surrogate', sent: Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]), kept: `a${replaced(3)}b` },
  {
    what: 'a pair of surrogates (CESU-8)',
    sent: Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]),
    kept: replaced(6),
  },
  {
    what: 'escapes that are not characters',
    sent: Buffer.from('{"a":"\\ud800","b":"\\u0000","c":"\\\\"}'),
    kept: '{"a":"\\ud800","b":"\\u0000","c":"\\\\"}',
  },
  { what: 'no valid UTF-8 at all', sent: Buffer.from([0xff, 0xfe, 0xc0, 0x80]), kept: replaced(4) },
  { what: 'replaced to three times its bytes', sent: Buffer.alloc(most, 0xff), kept: replaced(341) },
]

/** Response bodies that a database cannot store unchanged, each with a success and with a failure. */
export const bodies: AnsweredBody[] = odd.flatMap((body) => [200, 410].map((status) => ({ ...body, status })))
