import type { ChildProcess } from 'node:child_process'

/** The output of a process on both streams. */
export interface Output {
  text(): string
  /** Waits until this text is printed at `from` or later. Returns the position of its end. */
  until(wanted: string, limitMs: number, from?: number): Promise<number>
}

export function output(child: ChildProcess): Output {
  let printed = ''
  let closed = false
  const watchers = new Set<() => void>()
  const notify = () => {
    for (const watch of watchers) watch()
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      notify()
    })
  child.once('close', () => {
    closed = true
    notify()
  })
  return {
    text: () => printed,
    until: (wanted, limitMs, from = 0) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(limit)
          watchers.delete(look)
          act()
        }
        const fail = (why: string) => reject(new Error(`${why} before it printed “${wanted}”:\n${printed.slice(from)}`))
        const look = () => {
          const at = printed.indexOf(wanted, from)
          if (at >= 0) settle(() => resolve(at + wanted.length))
          else if (closed) settle(() => fail('the process ended'))
        }
        const limit = setTimeout(() => settle(() => fail(`${limitMs} ms passed`)), limitMs)
        watchers.add(look)
        look()
      }),
  }
}
