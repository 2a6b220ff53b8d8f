import { expect, test } from 'vitest'
import { breakAtEnd, breakIn, type Link } from './chain.ts'

const hashOf = (text: string) => Buffer.from(text)
const link = (seq: number, hash = `h${seq}`, expected = hash): Link => ({
  seq,
  id: `id-${seq}`,
  hash: hashOf(hash),
  expected: hashOf(expected),
})

test.each([
  ['nothing', [], 0, undefined],
  ['whole', [link(1), link(2), link(3)], 0, undefined],
  ['intact, in a later batch', [link(4), link(5)], 3, undefined],
  ['changed', [link(1), link(2, 'h2', 'x'), link(3, 'h3', 'y')], 0, { seq: 2, fault: 'CHANGED' }],
  ['the first entry removed', [link(2)], 0, { seq: 1, fault: 'REMOVED', text: 'Entry 1 was removed.' }],
  ['some entries removed', [link(1), link(5)], 0, { seq: 2, fault: 'REMOVED', text: 'Entries 2 to 4 were removed.' }],
  ['entries removed between batches', [link(7)], 5, { seq: 6, fault: 'REMOVED' }],
  ['an entry inserted before the first', [link(0), link(1)], 0, { seq: 0, fault: 'INSERTED' }],
  ['a repeated number', [link(1), link(2), link(2)], 0, { seq: 2, fault: 'INSERTED' }],
  ['a number repeated between batches', [link(2)], 2, { seq: 2, fault: 'INSERTED' }],
])('%s', (_what, links, after, broken) => {
  if (broken) expect(breakIn(links, after)).toMatchObject(broken)
  else expect(breakIn(links, after)).toBeUndefined()
})

const head = (lastSeq: number, hash = `h${lastSeq}`) => ({ lastSeq, hash: hashOf(hash) })

test.each([
  ['no entries and no head', undefined, null, undefined],
  ['whole', link(3), head(3), undefined],
  ['a missing head', link(3), null, { seq: 3, fault: 'HEAD_MISSING' }],
  ['a changed head', link(3), head(3, 'x'), { seq: 3, fault: 'HEAD_CHANGED' }],
  ['the last entries removed', link(3), head(5), { seq: 4, fault: 'TAIL_CUT', text: 'Entries 4 to 5 were removed.' }],
  ['all entries removed', undefined, head(2), { seq: 1, fault: 'TAIL_CUT' }],
  ['an entry inserted after the last', link(4), head(3), { seq: 4, fault: 'INSERTED' }],
])('finds breaks at the end: %s', (_what, last, chainHead, broken) => {
  if (broken) expect(breakAtEnd(last, chainHead)).toMatchObject(broken)
  else expect(breakAtEnd(last, chainHead)).toBeUndefined()
})
