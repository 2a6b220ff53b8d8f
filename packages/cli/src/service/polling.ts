import type { World } from '../world.ts'

/** Calls this again and again, with a pause between, until Ctrl-C, which ends the command well. */
export async function untilInterrupted(
  { sleep, onInterrupt }: Pick<World, 'sleep' | 'onInterrupt'>,
  pauseMs: number,
  once: () => Promise<void>,
): Promise<void> {
  const interrupted = new Promise<'interrupted'>((resolve) => onInterrupt(() => resolve('interrupted')))
  for (;;) {
    // What is under way need not end: the program ends when its command does.
    if ((await Promise.race([interrupted, once()])) === 'interrupted') return
    if ((await Promise.race([interrupted, sleep(pauseMs)])) === 'interrupted') return
  }
}
