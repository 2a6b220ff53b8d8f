import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labAuthority } from './lab.ts'

const folders = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime', '/usr/lib/faketime']
const libraryName = 'libfaketimeMT.so.1'
// Certificates are valid from the real time on, so a clock that is ahead can be moved back a little.
const aheadMs = 3_600_000

/** The wall clock of the processes that start with its settings. Their timers are not affected. */
export interface MovedClock {
  settings: Record<string, string>
  now(): Date
  move(byMs: number): Promise<void>
  /** Moves the clock to a time. */
  moveTo(at: Date): Promise<void>
}

export async function startClock(): Promise<MovedClock> {
  const library = folders.map((folder) => join(folder, libraryName)).find(existsSync)
  if (!library) throw new Error('the lab needs faketime: apt-get install faketime')
  const file = join(labAuthority().folder, 'clock')
  let offsetMs = aheadMs
  const write = async () => {
    // Replaced as a whole, because faketime reads it at every look at the clock.
    await writeFile(`${file}.new`, `+${offsetMs / 1000}\n`)
    await rename(`${file}.new`, file)
  }
  const move = async (byMs: number) => {
    offsetMs += byMs
    await write()
  }
  await write()
  return {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    now: () => new Date(Date.now() + offsetMs),
    move,
    moveTo: (at) => move(at.getTime() - Date.now() - offsetMs),
  }
}
