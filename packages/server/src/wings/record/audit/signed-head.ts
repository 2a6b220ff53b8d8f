import type { Signer } from '../../../platform/sign.ts'

/** The last entry of an organization's chain at a moment. */
export interface SignedHead {
  organization: string
  seq: number
  /** In hexadecimal. */
  hash: string
  /** ISO 8601. */
  signedAt: string
  signature: string
}

const signedText = ({ organization, seq, hash, signedAt }: Omit<SignedHead, 'signature'>) =>
  [organization, seq, hash, signedAt].join('\n')

export const signHead = (head: Omit<SignedHead, 'signature'>, signer: Signer): SignedHead => ({
  ...head,
  signature: signer.sign(signedText(head)),
})

/**
 * The heads in a text of JSON lines: `audit.head`, or a log with other lines. `forged` has the numbers of lines whose
 * signature does not match this installation's key.
 */
export function readHeads(text: string, signer: Signer): { heads: SignedHead[]; forged: number[] } {
  const heads: SignedHead[] = []
  const forged: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const head = headIn(line)
    if (!head) continue
    if (signer.isSigned(signedText(head), head.signature)) heads.push(head)
    else forged.push(index + 1)
  }
  return { heads, forged }
}

function headIn(line: string): SignedHead | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return undefined
  }
  const { organization, seq, hash, signedAt, signature } = (entry ?? {}) as Record<string, unknown>
  const texts = [organization, hash, signedAt, signature].every((each) => typeof each === 'string')
  return texts && Number.isSafeInteger(seq)
    ? ({ organization, seq, hash, signedAt, signature } as SignedHead)
    : undefined
}
