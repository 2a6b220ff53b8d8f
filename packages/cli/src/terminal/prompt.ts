import { createInterface } from 'node:readline'
import type { GlobalValues } from '../options.ts'
import { Problem, usage } from '../problem.ts'
import type { World } from '../world.ts'
import { masked, plain } from './terminal.ts'

/** Questions to the person at the terminal. They go to standard error, so that data can go into a file. */
export interface Prompt {
  /** Whether somebody can answer. */
  isPossible: boolean
  /** Returns if the answer is yes. Without a terminal it takes `--yes`. */
  confirm(question: string): Promise<void>
  /** Like `confirm`, but the answer is a word to type. */
  confirmTyping(question: string, word: string): Promise<void>
  /** One line of text. */
  ask(question: string): Promise<string>
  /** One line that is not shown. */
  askSecret(question: string): Promise<string>
}

export function openPrompt(
  { stdin, stderr }: Pick<World, 'stdin' | 'stderr'>,
  { yes, 'no-input': noInput }: Pick<GlobalValues, 'yes' | 'no-input'>,
): Prompt {
  const isPossible = stdin.isTTY === true && stderr.isTTY === true && !noInput
  const ask = async (question: string): Promise<string> => {
    const lines = createInterface({ input: stdin, output: stderr })
    try {
      return await new Promise<string>((resolve, reject) => {
        lines.once('SIGINT', () => reject(interrupted()))
        // Ctrl-D is not an answer, so it does not confirm.
        lines.once('close', () => resolve(''))
        lines.question(`${question} `, resolve)
      })
    } finally {
      lines.close()
    }
  }
  const confirmWith = async (given: string, isYes: (answer: string) => boolean) => {
    if (yes) return
    const question = masked(plain(given))
    if (!isPossible)
      throw usage(`${question} svc cannot ask without a terminal or with --no-input. Add --yes to confirm.`)
    if (!isYes((await ask(question)).trim())) throw new Problem('declined', 'Nothing was done.')
  }
  return {
    isPossible,
    ask,
    confirm: (question) => confirmWith(`${question} [y/N]`, (answer) => /^y(es)?$/i.test(answer)),
    confirmTyping: (question, word) => confirmWith(`${question} Type ${word} to confirm:`, (answer) => answer === word),
    askSecret: (question) => readHidden(stdin, stderr, question),
  }
}

/** In these modes, Ctrl-C is a key and no signal. */
const interrupted = () => new Problem('interrupted', 'Interrupted.')

const enter = /[\r\n]/
const [interrupt, endOfInput, backspace, erase, eraseLine] = ['\u0003', '\u0004', '\u007f', '\b', '\u0015']

function readHidden(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream, question: string): Promise<string> {
  // First, so that nothing is shown that is typed as soon as the question appears.
  stdin.setRawMode(true)
  stderr.write(`${question} `)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = () => {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const read = (text: string) => {
      for (const key of text) {
        if (key === interrupt) {
          end()
          reject(interrupted())
          return
        }
        if (enter.test(key) || key === endOfInput) {
          end()
          resolve(typed)
          return
        }
        if (key === backspace || key === erase) typed = typed.slice(0, -1)
        else if (key === eraseLine) typed = ''
        else typed += key
      }
    }
    stdin.on('data', read)
    stdin.resume()
  })
}
