import { Problem } from '../problem.ts'
import { shownPath } from '../session.ts'

const maxTogether = 1000
/** Below the 8 MiB that the service takes, with room for what is around the items. */
const maxBytes = 7 * 1024 * 1024

export interface ItemBatch {
  upsert: Record<string, unknown>[]
  delete: string[]
}

/**
 * The batches of a JSON file: a list of items, or an object with `upsert` and `delete`. Each has at most 1,000 of them
 * together and fits into one request.
 */
export function itemBatches(content: unknown, file: string): ItemBatch[] {
  const {
    upsert = [],
    delete: removed = [],
    ...others
  } = Array.isArray(content) ? { upsert: content } : asObject(content, file)
  const unknown = Object.keys(others)
  if (unknown.length > 0) throw fault(file, `has ${unknown[0]}, which is not a field of a batch`)
  if (!Array.isArray(upsert) || !Array.isArray(removed)) throw fault(file, 'must have lists in upsert and delete')
  const batches: ItemBatch[] = []
  let bytes = Number.POSITIVE_INFINITY
  const place = (size: number): ItemBatch => {
    const last = batches.at(-1)
    if (last && last.upsert.length + last.delete.length < maxTogether && bytes + size <= maxBytes) {
      bytes += size
      return last
    }
    bytes = size
    batches.push({ upsert: [], delete: [] })
    return batches.at(-1)!
  }
  for (const item of upsert) place(Buffer.byteLength(JSON.stringify(item)) + 1).upsert.push(item)
  for (const id of removed) place(Buffer.byteLength(JSON.stringify(id)) + 1).delete.push(id)
  if (batches.length === 0) throw fault(file, 'has no items')
  return batches
}

function asObject(content: unknown, file: string): Record<string, unknown> {
  if (typeof content === 'object' && content !== null) return content as Record<string, unknown>
  throw fault(file, 'must be a list of items, or an object with upsert and delete')
}

const fault = (file: string, what: string) => new Problem('file_invalid', `${shownPath(file)} ${what}.`)
