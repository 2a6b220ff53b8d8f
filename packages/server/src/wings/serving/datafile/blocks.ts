import { keyOf } from './bytes.ts'

/** Some consecutive flags of a data file. Blocks are immutable: the same object means the same bytes. */
export interface Block {
  fragments: readonly string[]
  bytes: Buffer
}

/** What a revision did to a flag: the key that left the file, and the new fragment. */
export interface FragmentChange {
  leftKey: string | null
  fragment: string | null
}

const blockMaxCharacters = 16_384

/** The flags of a data file, sorted by key. */
export function blocksOf(fragments: readonly string[]): Block[] {
  return cut(fragments.map((fragment) => [keyOf(fragment), fragment]))
}

/** Applies changes in order. Blocks without changes stay the same objects. */
export function withChanges(blocks: readonly Block[], changes: readonly FragmentChange[]): Block[] {
  if (blocks.length === 0) return cut([...applied([], changes.flatMap(edits))])
  const firstKeys = blocks.map(({ fragments }) => keyOf(fragments[0]!))
  const byBlock = new Map<number, Edit[]>()
  for (const edit of changes.flatMap(edits)) {
    const index = blockOf(firstKeys, edit.key)
    const here = byBlock.get(index) ?? []
    byBlock.set(index, here)
    here.push(edit)
  }
  return blocks.flatMap((block, index) => {
    const here = byBlock.get(index)
    return here ? cut([...applied(block.fragments, here)]) : [block]
  })
}

interface Edit {
  key: string
  fragment: string | null
}

function edits({ leftKey, fragment }: FragmentChange): Edit[] {
  const left = leftKey === null ? [] : [{ key: leftKey, fragment: null }]
  return fragment === null ? left : [...left, { key: keyOf(fragment), fragment }]
}

/** The last block that begins at or before the key. Keys before all blocks belong to the first one. */
function blockOf(firstKeys: readonly string[], key: string): number {
  let low = 0
  let high = firstKeys.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (firstKeys[middle]! <= key) low = middle
    else high = middle - 1
  }
  return low
}

function applied(fragments: readonly string[], wanted: readonly Edit[]): Map<string, string> {
  const byKey = new Map(fragments.map((fragment) => [keyOf(fragment), fragment]))
  for (const { key, fragment } of wanted) {
    if (fragment === null) byKey.delete(key)
    else byKey.set(key, fragment)
  }
  return byKey
}

/** Splits evenly, so that both halves of a large block have room to grow. */
function cut(members: [key: string, fragment: string][]): Block[] {
  const fragments = members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, fragment]) => fragment)
  const characters = fragments.reduce((sum, { length }) => sum + length, 0)
  const enough = characters / Math.ceil(characters / blockMaxCharacters)
  const blocks: Block[] = []
  let open: string[] = []
  let length = 0
  for (const fragment of fragments) {
    open.push(fragment)
    length += fragment.length
    if (length < enough) continue
    blocks.push(blockWith(open))
    open = []
    length = 0
  }
  return open.length > 0 ? [...blocks, blockWith(open)] : blocks
}

const blockWith = (fragments: readonly string[]): Block => ({ fragments, bytes: Buffer.from(fragments.join(',')) })
