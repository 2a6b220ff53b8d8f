import { parseArgs } from 'node:util'
import { nearest } from '@svc/core'
import {
  type GlobalValues,
  globalOptions,
  type KeyKind,
  type Option,
  type Options,
  type OptionValues,
} from './options.ts'
import { usage } from './problem.ts'
import { watching, watchOption } from './service/watch.ts'
import type { Session } from './session.ts'

/** Arguments in order: `KEY`, `[KEY]` if it can be left out, `USER...` for the rest, `[FLAG...]` for any number. */
export type Arguments = readonly string[]

type NameOf<Word extends string> = Word extends `[${infer Name}...]`
  ? Name
  : Word extends `[${infer Name}]`
    ? Name
    : Word extends `${infer Name}...`
      ? Name
      : Word

type ArgumentValue<Word extends string> = Word extends `${string}...` | `[${string}...]`
  ? string[]
  : Word extends `[${string}]`
    ? string | undefined
    : string

export type ArgumentValues<Words extends Arguments> = {
  [Word in Words[number] as NameOf<Word>]: ArgumentValue<Word>
}

/** One command, such as `flag list`. */
export interface Command {
  /** The words after `svc`. */
  name: string
  summary: string
  /** Further sentences of its help. */
  about?: string
  args: Arguments
  /** The kind of keys that complete an argument, by its name. */
  keys: Record<string, KeyKind>
  options: Options
  /** It shows a state, so it has `--watch`. */
  watch: boolean
  /** Lines that can be typed as they are. */
  examples: readonly string[]
  run(call: Call<Record<string, unknown>, Record<string, unknown>>): Promise<void>
}

/** What a command gets: its arguments and options, and the session. */
export interface Call<Args, Values> {
  args: Args
  options: Values
  session: Session
}

/** Commands with a common first word: a file in `groups/`. */
export interface Group {
  name: string
  summary: string
  commands: readonly Command[]
}

/** Declares a command, with the types of its arguments and options. */
export function command<const Words extends Arguments = [], const Known extends Options = Record<never, never>>(
  declared: Omit<Command, 'args' | 'keys' | 'options' | 'watch' | 'examples' | 'run'> & {
    args?: Words
    keys?: { [Name in keyof ArgumentValues<Words>]?: KeyKind }
    options?: Known
    watch?: true
    examples?: readonly string[]
    run(call: Call<ArgumentValues<Words>, OptionValues<Known>>): Promise<void>
  },
): Command {
  const { watch = false } = declared
  const run = declared.run as Command['run']
  return {
    ...declared,
    args: declared.args ?? [],
    keys: (declared.keys ?? {}) as Record<string, KeyKind>,
    options: { ...declared.options, ...(watch && watchOption) },
    watch,
    examples: declared.examples ?? [],
    run: (call) =>
      watch && call.options.watch === true ? watching(call.session, (session) => run({ ...call, session })) : run(call),
  }
}

/** The command whose name these words begin with. */
export const commandOf = (commands: readonly Command[], words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(' ').every((word, place) => word === words[place]))

/** The words besides options and their values. It accepts all options, because the command is not known yet. */
export const wordsOf = (args: string[], known: Options): string[] =>
  tokensOf(args, known).flatMap((token) => (token.kind === 'positional' ? [token.value] : []))

/** The options of every command, read from words that can still be wrong. */
export function looseGlobals(args: string[]): GlobalValues {
  const found: Record<string, unknown> = {}
  for (const token of tokensOf(args, globalOptions))
    if (token.kind === 'option' && Object.hasOwn(globalOptions, token.name)) found[token.name] = token.value ?? true
  return found as GlobalValues
}

/** Reads the arguments of a command. Throws a usage problem for whatever does not fit. */
export function parse(
  { name, args: words, options: own }: Pick<Command, 'name' | 'args' | 'options'>,
  args: string[],
): { args: Record<string, unknown>; options: Record<string, unknown>; globals: GlobalValues } {
  const known: Options = { ...globalOptions, ...own }
  const globals: Record<string, unknown> = {}
  const options: Record<string, unknown> = {}
  const given: string[] = []
  for (const token of tokensOf(args, known)) {
    if (token.kind === 'positional') given.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, known, name)
    const values = Object.hasOwn(own, token.name) ? options : globals
    const value = optionValue(token, option)
    values[token.name] = option.many
      ? [...((values[token.name] as string[] | undefined) ?? []), value as string]
      : value
  }
  const rest = given.slice(name.split(' ').length)
  return { args: placed(words, rest, name), options, globals: globals as GlobalValues }
}

type Token = ReturnType<typeof tokensOf>[number]

function tokensOf(args: string[], known: Options) {
  const entries = Object.entries(known).map(([name, { value, short }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
  ])
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(entries),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens
}

function optionValue(token: Extract<Token, { kind: 'option' }>, { value: shown, choices }: Option): string | true {
  if (shown === undefined) {
    if (token.value !== undefined) throw usage(`${token.rawName} takes no value.`)
    return true
  }
  if (token.value === undefined) throw usage(`${token.rawName} needs a value: ${token.rawName} ${shown}.`)
  // `--name --tag x` probably lacks a name: the name "--tag" is less likely.
  if (!token.inlineValue && /^-./.test(token.value))
    throw usage(`${token.rawName} needs a value. If it is "${token.value}", write ${token.rawName}=${token.value}.`)
  if (choices && !choices.includes(token.value))
    throw usage(`${token.rawName} must be ${choices.join(', ')} (got ${token.value}).`)
  return token.value
}

/** The unknown option directly before a word; undefined if there is none. */
export function strayOption(args: string[], word: string): Error | undefined {
  const [, before] = /^(--?[^=]+)$/.exec(args[args.indexOf(word) - 1] ?? '') ?? []
  return before === undefined ? undefined : unknownOption(before, globalOptions, '')
}

function unknownOption(rawName: string, known: Options, command: string): Error {
  const name = `svc ${command}`.trimEnd()
  if (rawName === '--token')
    return usage(
      `There is no option for the token: other users of the machine could see it. Use svc auth login, or set SVC_TOKEN.`,
    )
  const names = Object.entries(known).flatMap(([long, { short }]) => [`--${long}`, ...(short ? [`-${short}`] : [])])
  const meant = nearest(rawName, names)
  return usage(`${rawName} is not an option of ${name}.${meant ? ` Did you mean ${meant}?` : ` See ${name} --help.`}`)
}

function placed(words: Arguments, given: string[], name: string): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  const left = [...given]
  for (const word of words) {
    const { key, isOptional, isRest } = argument(word)
    if (isRest) args[key] = left.splice(0)
    else args[key] = left.shift()
    const missing = isRest ? (args[key] as string[]).length === 0 : args[key] === undefined
    if (missing && !isOptional) throw usage(`${key} is missing: svc ${[name, ...words].join(' ')}.`)
    if (args[key] === '') throw usage(`${key} must not be empty.`)
  }
  if (left.length > 0)
    throw usage(
      `"${left[0]}" is one argument too many: svc ${[name, ...words].join(' ')}.${name.startsWith('env ') ? ' Name the environment with --env.' : ''}`,
    )
  return args
}

/** `[FLAG...]` is `FLAG`, which can be left out and takes all remaining words. */
export function argument(word: string): { key: string; isOptional: boolean; isRest: boolean } {
  return { key: word.replace(/[[\].]/g, ''), isOptional: word.startsWith('['), isRest: word.includes('...') }
}
