import { nearest } from '@svc/core'
import { type Command, commandOf, type Group, looseGlobals, parse, strayOption, wordsOf } from './command.ts'
import { completions, knownKeys } from './complete.ts'
import { groups } from './groups/index.ts'
import { commandPage, groupPage, overview } from './help.ts'
import { type GlobalValues, globalOptions, type Options } from './options.ts'
import { exitCodes, shownProblem, usage, withCode } from './problem.ts'
import { openSession } from './session.ts'
import { openOutput } from './terminal/output.ts'
import { masked, painter, plain } from './terminal/terminal.ts'
import { withNamesThere } from './unnamed.ts'
import { version } from './version.ts'
import type { World } from './world.ts'

/** Commands of the operator that were once under this name. */
const moved = ['config', 'audit verify', 'reset-link']

/** Runs one command line. Returns the exit code. */
export async function run(world: World): Promise<number> {
  try {
    await dispatch(world)
    return exitCodes.done
  } catch (error) {
    return report(world, error)
  }
}

async function dispatch(world: World): Promise<void> {
  const { args, stdout } = world
  if (args[0] === '__complete') return complete(world)
  const isAsked = (...names: string[]) => beforeSeparator(args).some((word) => names.includes(word))
  const [first, ...rest] = wordsOf(args, globalOptions)
  if (first === undefined) return void stdout.write(isAsked('--version') ? `svc ${version}\n` : overview(groups))
  if (first === 'help') return void stdout.write(pageOf(rest))
  refuseMoved([first, ...rest])
  const group = groupOf(first, args)
  const command = commandIn(group, args)
  if (isAsked('--help', '-h')) return void stdout.write(command ? commandPage(command) : groupPage(group))
  if (!command) throw missingVerb(group, args)
  const { args: given, options, globals } = parse(command, args)
  const output = openOutput(world, {
    isJson: globals.json === true,
    isQuiet: globals.quiet === true,
    isPlain: globals['no-color'] === true,
  })
  const session = openSession(world, globals as GlobalValues, output)
  try {
    await command.run({ args: given, options, session })
  } catch (error) {
    const soon = { ...(globals as GlobalValues), timeout: '2s', quiet: true }
    throw await withNamesThere(error, () => openSession(world, soon, output))
  }
}

/** The hidden command of completion scripts: prints the words that can replace the last word. */
async function complete(world: World): Promise<void> {
  const words = world.args.slice(1)
  const output = openOutput(world, { isJson: false, isQuiet: true, isPlain: true })
  // The last word is incomplete, and a completion must be fast.
  const globals = { ...looseGlobals(words.slice(0, -1)), timeout: '2s', quiet: true }
  const session = openSession(world, globals, output)
  for (const each of await completions(groups, words, (kind) => knownKeys(session, kind))) output.line(each)
}

const beforeSeparator = (args: string[]): string[] => (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)

function pageOf(words: string[]): string {
  const [first, second] = words
  if (first === undefined) return overview(groups)
  const group = groupOf(first)
  const [only] = group.commands
  if (group.commands.length === 1 && only?.name === group.name) return commandPage(only)
  if (second === undefined) return groupPage(group)
  const command = commandOf(group.commands, words)
  if (!command) throw unknownVerb(group, words)
  return commandPage(command)
}

function groupOf(name: string, args: string[] = []): Group {
  const group = groups.find((each) => each.name === name)
  if (group) return group
  // The value of an option that does not exist reads as a command. It can be a secret, so it is not repeated.
  const stray = strayOption(args, name)
  if (stray) throw stray
  const meant = nearest(
    name,
    groups.map((each) => each.name),
  )
  throw usage(`"${name}" is not a command.${meant ? ` Did you mean svc ${meant}?` : ' See svc help.'}`)
}

/** The command that is meant; undefined if no verb is given. */
function commandIn({ name: first, commands }: Group, args: string[]): Command | undefined {
  const [only] = commands
  if (commands.length === 1 && only?.name === first) return only
  // Only here is it known which options take a value, so that `svc flag --type JSON list` finds its verb.
  const known: Options = Object.assign({}, ...commands.map(({ options }) => options), globalOptions)
  const words = wordsOf(args, known)
  if (words.length < 2) return undefined
  const command = commandOf(commands, words)
  if (!command) throw unknownVerb({ name: first, summary: '', commands }, words)
  return command
}

const verbsOf = ({ name: first, commands }: Group): string[] => commands.map(({ name }) => name.slice(first.length + 1))

function unknownVerb(group: Group, [, verb = '', next]: string[]): Error {
  const isFirstOfTwo = verbsOf(group).some((each) => each.startsWith(`${verb} `))
  return unknown(group, isFirstOfTwo && next !== undefined ? `${verb} ${next}` : verb)
}

function unknown(group: Group, verb: string): Error {
  const meant = nearest(verb, verbsOf(group))
  const hint = meant ? `Did you mean svc ${group.name} ${meant}?` : `Use ${verbsOf(group).join(', ')}.`
  return usage(`"${verb}" is not a command of svc ${group.name}. ${hint}`)
}

function missingVerb(group: Group, args: string[]): Error {
  // A wrong option is the likelier mistake than a missing verb.
  parse(
    { name: group.name, args: [], options: Object.assign({}, ...group.commands.map(({ options }) => options)) },
    args,
  )
  return usage(`svc ${group.name} needs a verb: ${verbsOf(group).join(', ')}.`)
}

function refuseMoved(words: string[]): void {
  const name = moved.find((each) => `${words.join(' ')} `.startsWith(`${each} `))
  if (name)
    throw usage(`svc ${name} is now a command of the operator: run svc-server ${name} on the machine of the service.`)
}

/** Prints what went wrong on standard error. The options may be what is wrong, so they are searched as words. */
function report({ args, stderr, env }: World, error: unknown): number {
  const { shown, exitCode } = shownProblem(error)
  if (exitCode === exitCodes.interrupted) return exitCode
  const given = beforeSeparator(args)
  if (given.includes('--json')) {
    stderr.write(`${JSON.stringify({ error: shown })}\n`)
    return exitCode
  }
  const paint = painter(stderr, env, given.includes('--no-color'))
  // A file can have several faults, each in a line of its own.
  const lines = shown.code === 'file_invalid' ? withCode(shown).split('\n') : [withCode(shown)]
  stderr.write(`${paint('red', 'svc:')} ${lines.map(plain).join('\n')}\n`)
  const source = [shown.requestId && `request ${shown.requestId}`, shown.docUrl].filter(Boolean).join('  ')
  if (source) stderr.write(`${plain(source)}\n`)
  const isOurFault = shown.code === 'failed' && given.some((word) => word === '-v' || word === '--verbose')
  if (isOurFault && error instanceof Error) stderr.write(`${masked(String(error.stack))}\n`)
  return exitCode
}
