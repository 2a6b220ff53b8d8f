/** Everything outside the program. `main.ts` fills it in; nothing else asks the process. */
export interface World {
  args: string[]
  env: Record<string, string | undefined>
  cwd: string
  home: string
  platform: NodeJS.Platform
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  fetch: typeof globalThis.fetch
  now(): Date
  sleep(ms: number): Promise<void>
  /** Calls this at Ctrl-C instead of ending the program with 130. */
  onInterrupt(stop: () => void): void
}
