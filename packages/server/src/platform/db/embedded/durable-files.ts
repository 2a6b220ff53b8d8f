import { fdatasyncSync, fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from './sync-path.ts'

/** The parts of Emscripten's NODEFS that we use. They are internals, so the version of PGlite is pinned. */
interface NodeFiles {
  stream_ops: { fsync?: (stream: Stream) => number }
  node_ops: { mknod(parent: unknown, name: string, mode: number, device: number): unknown }
  doSetAttr(path: unknown, node: unknown, attributes: { mode?: number }, ...calls: unknown[]): void
  realPath(node: unknown): string
}

interface Stream {
  nfd?: number
  node: unknown
}

type Options = Parameters<NodeFS['init']>[1]

/** PGlite's NODEFS has no fsync, so a commit could be answered before it is on the disk. This one syncs and counts. */
export class DurableFiles extends NodeFS {
  logSyncs = 0

  override async init(pglite: PGlite, options: Options) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const hook = (module: { NODEFS: unknown }) => {
      const files = module.NODEFS as NodeFiles
      files.stream_ops.fsync = (stream) => this.#sync(files.realPath(stream.node), stream.nfd)
      keepClosed(files)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } }
  }

  #sync(path: string, descriptor: number | undefined): number {
    if (path.includes('/pg_wal/')) this.logSyncs++
    if (descriptor === undefined) syncPath(path)
    else if (path.includes('/pg_wal/')) fdatasyncSync(descriptor)
    else fsyncSync(descriptor)
    return 0
  }
}

/** The bits of a mode that give the file type and the owner's permissions. */
const closedBits = 0o170700

/** PGlite asks for modes that open most files to every account of the machine. */
function keepClosed(files: NodeFiles): void {
  const { mknod } = files.node_ops
  files.node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, mode & closedBits, device)
  const { doSetAttr } = files
  files.doSetAttr = (path, node, attributes, ...calls) => {
    const { mode } = attributes
    doSetAttr(path, node, mode === undefined ? attributes : { ...attributes, mode: mode & closedBits }, ...calls)
  }
}

/** Throws when a commit is answered before the log was synced, because acknowledged rows could then be lost. */
export async function proveSynced(files: { logSyncs: number }, commit: () => Promise<unknown>): Promise<void> {
  const before = files.logSyncs
  await commit()
  if (files.logSyncs > before) return
  throw new Error('the embedded database does not sync its log to the disk; refusing to start')
}
