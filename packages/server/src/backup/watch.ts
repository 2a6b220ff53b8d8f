/** Receives what a long command is doing. */
export interface Watch {
  /** What is being done from now on. */
  step(what: string): void
  /** A line that stays. */
  say(line: string): void
}

export const unwatched: Watch = { step: () => undefined, say: (line) => void process.stderr.write(`${line}\n`) }

const megabyte = 1024 ** 2

/** Passes portions of rows on, and reports how much of a table has passed. */
export async function* watched<Portion>(
  { step }: Watch,
  verb: string,
  portions: AsyncIterable<Portion>,
  of: (portion: Portion) => { name: string; bytes: number },
): AsyncGenerator<Portion> {
  let table = ''
  let sum = 0
  for await (const portion of portions) {
    const { name, bytes } = of(portion)
    sum = name === table ? sum + bytes : bytes
    table = name
    step(`${verb} ${name} (${(sum / megabyte).toFixed(1)} MB)`)
    yield portion
  }
}
