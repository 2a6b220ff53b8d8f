/** An entry as seen by the verification of a chain. */
export interface Link {
  seq: number
  id: string
  hash: Buffer
  /** The hash that follows from the entry's content and the hash of the entry before it. */
  expected: Buffer
}

/** The number and hash that the organization's last change stored next to the entries; null if missing. */
export interface Head {
  lastSeq: number
  hash: Buffer
}

/** The first break of a chain. Every kind of tampering appears as one of these. */
export interface Break {
  /** The number of the affected entry. */
  seq: number
  fault: 'CHANGED' | 'REMOVED' | 'INSERTED' | 'TAIL_CUT' | 'HEAD_MISSING' | 'HEAD_CHANGED'
  text: string
}

/** Checks the entries after number `after`, in order. */
export function breakIn(links: readonly Link[], after: number): Break | undefined {
  let seq = after
  for (const link of links) {
    seq += 1
    if (link.seq > seq) return removed(seq, link.seq - 1)
    if (link.seq < seq) return { seq: link.seq, fault: 'INSERTED', text: `An entry ${link.seq} was inserted.` }
    if (!link.hash.equals(link.expected))
      return { seq, fault: 'CHANGED', text: `Entry ${seq} or its hash was changed, or the entry was replaced.` }
  }
  return undefined
}

/** Compares the end of the entries with the head. `last` is the last existing entry. */
export function breakAtEnd(last: { seq: number; hash: Buffer } | undefined, head: Head | null): Break | undefined {
  const lastSeq = last?.seq ?? 0
  if (!head) return last && { seq: lastSeq, fault: 'HEAD_MISSING', text: 'The head of the chain is missing.' }
  if (lastSeq < head.lastSeq) return { ...removed(lastSeq + 1, head.lastSeq), fault: 'TAIL_CUT' }
  if (lastSeq > head.lastSeq)
    return {
      seq: head.lastSeq + 1,
      fault: 'INSERTED',
      text: `Entries were inserted after the last one, ${head.lastSeq}.`,
    }
  if (last && !last.hash.equals(head.hash))
    return { seq: lastSeq, fault: 'HEAD_CHANGED', text: `The head of the chain is not the hash of entry ${lastSeq}.` }
  return undefined
}

function removed(from: number, to: number): Break {
  const which = from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`
  return { seq: from, fault: 'REMOVED', text: `${which} removed.` }
}
