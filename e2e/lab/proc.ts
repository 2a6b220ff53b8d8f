import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

const tickMs = 10
const kilobyte = 1_024

/** What the kernel says of a process. */
export interface Proc {
  /** Processor time that it has used so far. */
  cpuMs(): number
  residentBytes(): number
  /** The most since `forgetPeak`, exact where samples would miss it. */
  peakBytes(): number
  forgetPeak(): void
}

/** `/proc` shows the processes of the lab by the numbers that they have outside of it. */
export function procOf(pid: number): Proc {
  const namespace = namespaceOf('self')
  const isIt = (entry: string) =>
    namespaceOf(entry) === namespace && field(entry, 'NSpid').split(/\s+/).at(-1) === `${pid}`
  const entry = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isIt(name))
  if (!entry) throw new Error(`no process ${pid} in /proc`)
  const kilobytes = (name: string) => Number.parseInt(field(entry, name), 10) * kilobyte
  return {
    cpuMs() {
      // Behind the name, which may hold anything: the 14th and 15th of all fields.
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) * tickMs
    },
    residentBytes: () => kilobytes('VmRSS'),
    peakBytes: () => kilobytes('VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${entry}/clear_refs`, '5'),
  }
}

function namespaceOf(entry: string): string | undefined {
  try {
    return readlinkSync(`/proc/${entry}/ns/pid`)
  } catch {
    // Gone meanwhile, or somebody else's.
    return undefined
  }
}

const field = (entry: string, name: string): string =>
  new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1] ?? ''
