import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

const tickMs = 10
const kilobyte = 1_024

/** Information from the kernel about a process. */
export interface Proc {
  /** Processor time used so far. */
  cpuMs(): number
  residentBytes(): number
  /** The peak since `forgetPeak`. It is exact, where samples would miss it. */
  peakBytes(): number
  forgetPeak(): void
}

/** Finds a process of the lab in `/proc`, which lists it by its pid outside the lab. */
export function procOf(pid: number): Proc {
  const namespace = namespaceOf('self')
  const isIt = (entry: string) =>
    namespaceOf(entry) === namespace && field(entry, 'NSpid').split(/\s+/).at(-1) === `${pid}`
  const entry = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isIt(name))
  if (!entry) throw new Error(`no process ${pid} in /proc`)
  const kilobytes = (name: string) => Number.parseInt(field(entry, name), 10) * kilobyte
  return {
    cpuMs() {
      // The fields 14 and 15, counted after the name, which can contain anything.
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
    // It has ended meanwhile, or belongs to a different user.
    return undefined
  }
}

const field = (entry: string, name: string): string =>
  new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1] ?? ''
